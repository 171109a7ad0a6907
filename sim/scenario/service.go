package scenario

import "herdsim/sim/rng"

// service reads a duration or a distribution of durations; nil stands for no time at all.
func (b *builder) service(v *value) rng.Span {
	switch v.word {
	case "exponential":
		return rng.Exponential{Mean: v.arg.get("mean").duration()}
	case "uniform":
		if !b.rises(v.arg, "uniform") {
			return nil
		}
		return rng.Uniform{Lo: v.arg.items[0].duration(), Hi: v.arg.items[1].duration()}
	case "lognormal":
		p50, p99 := v.arg.get("p50"), v.arg.get("p99")
		if p50.duration() > p99.duration() {
			b.fail(p99.node, "`p99` "+p99.node.text+" is below `p50` "+p50.node.text, "")
			return nil
		}
		return rng.NewLognormal(p50.duration(), p99.duration())
	case "cycle":
		var cycle rng.Cycle
		for _, item := range v.arg.items {
			cycle = append(cycle, item.duration())
		}
		return cycle
	}
	if d := v.arg.duration(); d > 0 {
		return rng.Fixed(d)
	}
	return nil
}
