package scenario

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"herdsim/sim/units"
)

// mapping fills in the pairs of a map: keys are texts, each once; what `<<` merges in stands where `<<` stands, and gives
// way to the keys beside it.
func (e *expander) mapping(n *node, y *yaml.Node, depth int) {
	own := map[string]bool{}
	var merged []pair
	mergeAt := -1
	for i := 0; i+1 < len(y.Content) && !e.full; i += 2 {
		k, value := y.Content[i], y.Content[i+1]
		key, ok := e.key(k)
		switch {
		case !ok:
			continue
		case own[key.text]:
			e.problems.fail(key, "key "+units.Quote(key.text)+" is written twice in one map", "leave one of them out")
			continue
		}
		own[key.text] = true
		if key.text == "<<" && !key.quoted {
			mergeAt, merged = len(n.pairs), e.merge(value, depth)
			continue
		}
		n.pairs = append(n.pairs, pair{key, e.expand(value, depth+1)})
		if len(own) > maxKeys {
			e.stop(key, fmt.Sprintf("this map has more than %d keys", maxKeys))
		}
	}
	if mergeAt >= 0 {
		n.pairs = inserted(n.pairs, mergeAt, merged, own)
		if len(n.pairs) > maxKeys {
			e.stop(n, fmt.Sprintf("this map has more than %d keys, merged ones counted", maxKeys))
		}
	}
}

// key returns the node of a key, which must be a text.
func (e *expander) key(k *yaml.Node) (*node, bool) {
	n := e.place(k)
	e.nodes++
	n.text, n.quoted = k.Value, k.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	switch {
	case k.Kind == yaml.AliasNode:
		e.problems.fail(n, "a key cannot be an alias", "write the name")
	case k.Kind != yaml.ScalarNode:
		e.problems.fail(n, "a key cannot be a list or a map", "write a name")
	case k.Style&yaml.TaggedStyle != 0:
		e.problems.fail(n, "tags such as "+units.Quote(k.Tag)+" are not supported", "leave it out")
	case k.Value == "":
		e.problems.fail(n, "a key is empty", "write a name before `:`")
	default:
		return n, true
	}
	return n, false
}

// merge returns the pairs that `<<` brings: a map's, or those of a list of maps, of which earlier ones win.
func (e *expander) merge(value *yaml.Node, depth int) []pair {
	n := e.expand(value, depth+1)
	maps := []*node{n}
	if n.kind == listNode {
		maps = n.items
	}
	var pairs []pair
	taken := map[string]bool{}
	for _, m := range maps {
		if m.kind != mapNode {
			if !e.full {
				e.problems.fail(m, "`<<` merges maps, not "+m.kind.String(), "write an alias of a map, such as `*base`")
			}
			continue
		}
		for _, p := range m.pairs {
			if !taken[p.key.text] {
				taken[p.key.text] = true
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// inserted returns pairs with the merged ones put in at an index, without those whose keys are the map's own.
func inserted(pairs []pair, at int, merged []pair, own map[string]bool) []pair {
	all := append([]pair(nil), pairs[:at]...)
	for _, p := range merged {
		if !own[p.key.text] {
			all = append(all, p)
		}
	}
	return append(all, pairs[at:]...)
}
