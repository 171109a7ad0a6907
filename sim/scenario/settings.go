package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// longestSetting is the number of bytes above which a value is told by its hash: enough to see that it has changed.
const longestSetting = 1000

// settingsOf lists what a document writes, by dotted path and in its order, so that two of them can be told apart later: of a
// map every field, of a list the whole. Left out are the seed, the replications and the matrix, which a result has of its own,
// checks, which decide nothing in a run, and what only describes, or holds what others repeat.
func settingsOf(root *node) []Setting {
	var list []Setting
	for _, p := range root.pairs {
		name := p.key.text
		if !strings.HasPrefix(name, "x-") && !slices.Contains([]string{"version", "name", "description", "seed", "replications", "matrix", "checks"}, name) {
			list = p.value.settings(list, name)
		}
	}
	return list
}

func (n *node) settings(list []Setting, path string) []Setting {
	if n.kind != mapNode || len(n.pairs) == 0 {
		value := n.String()
		if len(value) > longestSetting {
			sum := sha256.Sum256([]byte(value))
			value = "sha256:" + hex.EncodeToString(sum[:])
		}
		return append(list, Setting{path, value})
	}
	for _, p := range n.pairs {
		list = p.value.settings(list, path+"."+p.key.text)
	}
	return list
}
