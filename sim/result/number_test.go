package result

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

func ratOf(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("not a number: %q", text)
	}
	return r
}

func TestDerived(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"0", "0"},
		{"1/3", "0.333333"},
		{"2/3", "0.666667"},
		{"-2/3", "-0.666667"},
		{"41", "41"},
		{"41.0000001", "41"},
		{"123456", "123456"},
		{"1234567", "1234570"},
		{"1234565", "1234560"}, // half to even, down
		{"1234575", "1234580"}, // half to even, up
		{"-1234565", "-1234560"},
		{"1234565.0000000001", "1234570"},
		{"999999.5", "1000000"}, // carries into a seventh digit
		{"0.9999995", "1"},
		{"0.99999949", "0.999999"},
		{"1e-9", "0.000000001"},
		{"1.234565e-9", "0.00000000123456"},
		{"9.9999999e-10", "0.000000001"}, // carries
		{"9.99999e-10", "9.99999e-10"},
		{"1.5e-300", "1.5e-300"},
		{"-1.5e-300", "-1.5e-300"},
		{"999999499999999999999", "999999000000000000000"},
		{"999999500000000000000", "1e+21"},
		{"1e21", "1e+21"},
		{"1.2345678e300", "1.23457e+300"},
		{"0.1", "0.1"},
		{"100", "100"},
	} {
		if got := Derived(ratOf(t, c.in)).String(); got != c.want {
			t.Errorf("Derived(%s) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestExact(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"0", "0"},
		{"-7", "-7"},
		{"123456789012345678901234567890", "123456789012345678901234567890"},
		{"59123456789/1000000000", "59.123456789"},
		{"3/2", "1.5"},
		{"1/8", "0.125"},
		{"-0.000000001", "-0.000000001"},
	} {
		if got := Exact(ratOf(t, c.in)).String(); got != c.want {
			t.Errorf("Exact(%s) = %s, want %s", c.in, got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Exact(1/3) did not panic")
		}
	}()
	Exact(big.NewRat(1, 3))
}

func TestNumberJSON(t *testing.T) {
	for _, text := range []string{"0", "-0.5", "1.50", "1e+21", "9223372036854775807", "123456789.123456789"} {
		var n Number
		if err := json.Unmarshal([]byte(text), &n); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := json.Marshal(n); err != nil || string(got) != text {
			t.Errorf("%s became %s (%v)", text, got, err)
		}
	}
	for _, text := range []string{`"1"`, "null", "true", "[]", "{}", "1e999", "-1e999", "01", "1.", "NaN", strings.Repeat("1", 65)} {
		var n Number
		if err := json.Unmarshal([]byte(text), &n); err == nil {
			t.Errorf("%s was read as %s", text, n)
		}
	}
	if got := (Number{}).String(); got != "0" {
		t.Errorf("the zero Number prints %q", got)
	}
	if got := Integer(-3).Float(); got != -3 {
		t.Errorf("Integer(-3).Float() = %v", got)
	}
}
