package diag

import "strings"

// Nearest returns the candidate that a mistyped word most likely stands for, and false when none is close: at most a third
// of the word's letters may be wrong, missing, added or swapped with their neighbour. Of equally close ones the first wins.
func Nearest(word string, candidates []string) (string, bool) {
	typed := []rune(strings.ToLower(word))
	best, at := max(1, len(typed)/3)+1, -1
	for i, c := range candidates {
		wanted := []rune(strings.ToLower(c))
		if len(wanted)-len(typed) >= best || len(typed)-len(wanted) >= best {
			continue // no edit is cheaper than the difference in length
		}
		if d := distance(typed, wanted); d < best {
			best, at = d, i
		}
	}
	if at < 0 {
		return "", false
	}
	return candidates[at], true
}

// distance is the number of edits (a letter replaced, added, left out, or swapped with the next) that turn a into b: the
// restricted Damerau-Levenshtein distance.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
