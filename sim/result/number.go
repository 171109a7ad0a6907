package result

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// digits is the number of significant digits of a derived number.
const digits = 6

// A Number is a decimal as it is printed: integers and instants exactly, derived numbers to six significant digits.
// It keeps its text, so that a result read back from JSON is the result that was written. The zero Number is 0.
type Number struct{ text string }

// Exact returns a Number that prints all decimals of r. It panics unless r has finitely many, as every integer and every
// instant in seconds has.
func Exact(r *big.Rat) Number {
	n, exact := r.FloatPrec()
	if !exact {
		panic(fmt.Sprintf("result: %v has no finite decimal form", r))
	}
	return Number{r.FloatString(n)}
}

// Derived returns r rounded once, half to even, to six significant digits. Trailing zeros are dropped; values from 1e-9
// up to 1e21 are written without an exponent.
func Derived(r *big.Rat) Number {
	if r.Sign() == 0 {
		return Number{"0"}
	}
	abs := new(big.Rat).Abs(r)
	e := exponent(abs)
	m := roundHalfEven(new(big.Rat).Quo(abs, pow10(e-digits+1)))
	if m.Cmp(big.NewInt(1e6)) == 0 { // carried into a seventh digit
		m.SetInt64(1e5)
		e++
	}
	rounded := new(big.Rat).SetInt(m)
	if r.Sign() < 0 {
		rounded.Neg(rounded)
	}
	if e >= 21 || e < -9 {
		return Number{scientific(rounded, e-digits+1)}
	}
	return Exact(rounded.Mul(rounded, pow10(e-digits+1)))
}

// exponent returns the e for which 10^e <= r < 10^(e+1); r is above 0.
func exponent(r *big.Rat) int {
	bits := r.Num().BitLen() - r.Denom().BitLen() // r is within a factor of two of 2^bits
	e := int(math.Floor(float64(bits) * math.Log10(2)))
	for r.Cmp(pow10(e+1)) >= 0 {
		e++
	}
	for r.Cmp(pow10(e)) < 0 {
		e--
	}
	return e
}

func pow10(e int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// roundHalfEven returns the integer nearest to r >= 0, the even one of two that are equally near.
func roundHalfEven(r *big.Rat) *big.Int {
	quo, rem := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	c := rem.Lsh(rem, 1).Cmp(r.Denom())
	if c > 0 || c == 0 && quo.Bit(0) == 1 {
		quo.Add(quo, big.NewInt(1))
	}
	return quo
}

// scientific writes m·10^e, m an integer of six digits, as d.ddde±xx.
func scientific(m *big.Rat, e int) string {
	f, _ := m.Float64()
	mantissa, shift, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(shift)
	return fmt.Sprintf("%se%+03d", mantissa, n+e)
}

// Integer returns the Number of n.
func Integer(n int64) Number { return Number{strconv.FormatInt(n, 10)} }

// Float returns the nearest float64, for drawing and comparing.
func (n Number) Float() float64 {
	f, _ := strconv.ParseFloat(n.String(), 64)
	return f
}

// Rat returns the decimal exactly.
func (n Number) Rat() *big.Rat {
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		panic("result: the number " + n.String() + " is none")
	}
	return r
}

// String returns the text that JSON holds.
func (n Number) String() string {
	if n.text == "" {
		return "0"
	}
	return n.text
}

// MarshalJSON writes the decimal.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

// longest bounds the text of a number that is read: an exact instant has 19 digits, a sum of them a few more.
const longest = 64

// UnmarshalJSON keeps the decimal's text. It accepts what a float64 can hold; quoted numbers and null are errors.
func (n *Number) UnmarshalJSON(b []byte) error {
	var num json.Number
	if len(b) == 0 || b[0] != '-' && (b[0] < '0' || b[0] > '9') || json.Unmarshal(b, &num) != nil {
		return fmt.Errorf("want a number, found %.40s", b)
	}
	if len(b) > longest {
		return fmt.Errorf("number %.20s… is longer than %d characters", b, longest)
	}
	f, err := strconv.ParseFloat(num.String(), 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(num.String()), "e")
	if err != nil || f == 0 && strings.ContainsAny(mantissa, "123456789") { // too large, or too small
		return fmt.Errorf("number %s is out of range", num)
	}
	n.text = num.String()
	return nil
}
