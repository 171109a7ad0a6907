package check

import (
	"strings"

	"herdsim/sim/units"
)

// alike checks that two numbers may be compared or added. The message is about the one that is easier to mend: a number
// that is written out.
func (p *parser) alike(left, right *node, what string) {
	if p.err != nil || left.agrees(right.dimension) {
		return
	}
	wrong, other := right, left
	if left.kind == constant && right.kind != constant {
		wrong, other = left, right
	}
	message := p.said(wrong) + " is " + wrong.dimension.String() + ", " + p.said(other) + " is " + other.dimension.String()
	if what != "against" {
		message += ": they cannot be joined by `" + what + "`"
	}
	p.fail(wrong.at, message, p.remedy(wrong, other))
}

// remedy says what to write instead of a number that does not go with another one.
func (p *parser) remedy(wrong, other *node) string {
	text := p.text[wrong.at.from:wrong.at.to]
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/%")
	written := wrong.kind == constant && isDigit(text[0])
	switch {
	case other.seconds == 1 && written:
		return "write " + units.Quote(number+"s")
	case other.seconds == -1 && written && !strings.Contains(number, "."):
		return "write " + units.Quote(number+"/s")
	case other.seconds == -1 && wrong.dimension == count:
		return "divide by a time, such as " + units.Quote(text+" / 60s")
	case other.dimension == count && wrong.dimension == share && written:
		return "write for example " + units.Quote(text+" * jobs.total")
	case other.dimension == count && wrong.seconds == -1:
		return "multiply by a time, such as " + units.Quote(text+" * 60s")
	case other.dimension == count && written:
		return "write " + units.Quote(number)
	}
	return "compare things of one kind"
}
