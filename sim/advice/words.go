package advice

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"herdsim/sim/result"
)

// three writes a number to three significant digits, whole from 100 on, without zeros at the end.
func three(v float64) string {
	if math.Abs(v) >= 100 {
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	text := strconv.FormatFloat(v, 'g', 3, 64)
	if strings.Contains(text, "e") {
		return text
	}
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func amount(n result.Number) string { return three(n.Float()) }

func seconds(v float64) string { return three(v) + "s" }

// exactly writes an instant to the millisecond, so that it is told from one nearby.
func exactly(n result.Number) string {
	text := strconv.FormatFloat(n.Float(), 'f', 3, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + "s"
}

// plural counts things.
func plural(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case strings.HasSuffix(one, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(one, "y"))
	}
	return fmt.Sprintf("%d %ss", n, one)
}
