package units

import (
	"math/bits"
	"strconv"
	"strings"
)

// sizes holds the units of memory, in bytes; of two that end a text alike the longer comes first.
var sizes = [...]struct {
	name  string
	bytes uint64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"KB", 1000},
	{"MB", 1000 * 1000},
	{"B", 1},
}

// Size reads a number of bytes: a whole number and its unit, `B`, `KB` and `MB` of 1000 and 1000² bytes, or `KiB` and `MiB` of
// 1024 and 1024².
func Size(text string) (uint64, error) {
	n := digits(text)
	number, name := text[:n], text[n:]
	unit := uint64(0)
	for _, u := range sizes {
		if u.name == name {
			unit = u.bytes
		}
	}
	switch {
	case number == "" || unit == 0:
		return 0, &Error{Quote(text) + " is not a size", sizeHint(number, name)}
	case padded(number):
		return 0, &Error{"size " + Quote(text) + " begins with 0", "write " + Quote(strings.TrimLeft(number[:n-1], "0")+text[n-1:])}
	}
	count, err := strconv.ParseUint(number, 10, 64)
	hi, size := bits.Mul64(count, unit)
	if err != nil || hi > 0 {
		return 0, &Error{"size " + Quote(text) + " is too large", ""}
	}
	return size, nil
}

func sizeHint(number, name string) string {
	if number == "" || padded(number) {
		return "write it like `512B`, `2KiB` or `1MB`"
	}
	if name == "" {
		return "it has no unit: write " + Quote(number+"B")
	}
	for _, u := range sizes {
		if strings.EqualFold(strings.TrimSpace(name), u.name) || len(u.name) > 1 && strings.EqualFold(name, u.name[:1]) {
			return "write " + Quote(number+u.name)
		}
	}
	return "a whole number of `B`, `KB`, `KiB`, `MB` or `MiB`"
}
