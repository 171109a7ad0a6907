package units

import (
	"strings"
	"testing"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]uint64{
		"0B": 0, "1B": 1, "512B": 512, "2KB": 2000, "2KiB": 2048, "3MB": 3_000_000, "1024MiB": 1 << 30, "18446744073709551615B": 1<<64 - 1,
	} {
		if got, err := Size(text); err != nil || got != want {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                          "write it like `512B`",
		"KiB":                       "write it like `512B`",
		"512":                       "write `512B`",
		"2kb":                       "write `2KB`",
		"2 KiB":                     "write `2KiB`",
		"2K":                        "write `2KiB`",
		"2m":                        "write `2MiB`",
		"1.5KiB":                    "a whole number of",
		"2GiB":                      "a whole number of",
		"-1B":                       "write it like `512B`",
		"02KiB":                     "write `2KiB`",
		"000B":                      "write `0B`",
		"18446744073709551616B":     "too large",
		"18014398509481984KiB":      "too large",
		"99999999999999999999999MB": "too large",
	} {
		if got, err := Size(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, %v, want %s", text, got, err, want)
		}
	}
}
