package plots

import (
	"fmt"
	"strings"

	"herdsim/sim/result"
)

// maxSlug bounds the part of a file name that tells cases apart, in bytes; with id, number and ending it stays far below the 255 of
// common file systems.
const maxSlug = 120

// fileNames returns what follows a picture's id in the file name of each case: nothing for a single case, else a dash and the slug
// of the case's settings, made unique by a number.
func fileNames(cases []result.Case) []string {
	names := make([]string, len(cases))
	if len(cases) == 1 {
		return names
	}
	taken := map[string]bool{}
	for i, c := range cases {
		slug := slug(settingsText(c.Set, "-", "-"))
		name := slug
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", slug, n)
		}
		taken[name] = true
		names[i] = "-" + name
	}
	return names
}

// slug keeps a-z, 0-9, dot and underscore, turns everything else into single dashes, and has no dash or dot at either end.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			b.WriteRune(r)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
		if b.Len() == maxSlug {
			break
		}
	}
	if s := strings.Trim(b.String(), "-."); s != "" {
		return s
	}
	return "case"
}

// settingsText writes a case's settings in words. A path is cut to its last parts: two, or as many as tell it
// from the others.
func settingsText(set result.Settings, equals, between string) string {
	var parts []string
	for i, s := range set {
		parts = append(parts, shortPath(set, i)+equals+s.Value)
	}
	return strings.Join(parts, between)
}

func shortPath(set result.Settings, i int) string {
	path := strings.Split(set[i].Path, ".")
	for n := 2; n < len(path); n++ {
		tail := strings.Join(path[len(path)-n:], ".")
		if !sharedTail(set, i, tail) {
			return tail
		}
	}
	return set[i].Path
}

func sharedTail(set result.Settings, i int, tail string) bool {
	for k, other := range set {
		if k != i && (other.Path == tail || strings.HasSuffix(other.Path, "."+tail)) {
			return true
		}
	}
	return false
}
