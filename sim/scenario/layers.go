package scenario

import (
	"fmt"

	"herdsim/sim/engine"
)

// Limits on the calls of one attempt.
const (
	maxLayers       = 16
	maxAttemptCalls = 1_000_000
)

// layers reads `layers` of a policy.
func (b *builder) layers(v *value) []engine.Layer {
	if !usable(v) {
		return nil
	}
	var all []engine.Layer
	calls := uint64(1)
	for _, item := range v.items {
		layer := engine.Layer{Tries: int(item.get("tries").number.num)}
		if calls *= uint64(layer.Tries); calls > maxAttemptCalls || len(all) == maxLayers {
			b.conflict(v.key, fmt.Sprintf("`layers` may be %d at most, and make no more than %d calls for one attempt", maxLayers, maxAttemptCalls))
			return nil
		}
		delay := item.get("delay")
		switch {
		case delay == nil && item.wrote("jitter") && item.get("jitter").word != "none":
			b.conflict(item.get("jitter").key, "`jitter` in `layers` without a `delay` that it could spread")
		case delay == nil:
		case delay.word == "decorrelated" || instants(delay):
			b.conflict(delay.key, "`"+delay.word+"` in `layers` has no meaning: it goes by the attempts of the job, not by the tries inside one")
		default:
			layer.Policy = b.delay(delay, item.get("jitter"), layer.Tries)
		}
		all = append(all, layer)
	}
	return all
}

// instants reports whether a delay is a ladder of instants.
func instants(delay *value) bool {
	return delay.word == "ladder" && delay.arg.arg == nil && delay.arg.get("at") != nil
}
