package result

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// Bounds are both ends of an interval, the lower one first.
type Bounds [2]Number

// UnmarshalJSON insists on two numbers, which an array of two would not do.
func (b *Bounds) UnmarshalJSON(data []byte) error {
	var ends []Number
	if err := json.Unmarshal(data, &ends); err != nil {
		return err
	}
	if len(ends) != 2 {
		return fmt.Errorf("an interval holds %d numbers, want 2", len(ends))
	}
	*b = Bounds(ends)
	return nil
}

// Float returns both ends, for drawing and comparing.
func (b Bounds) Float() (low, high float64) { return b[0].Float(), b[1].Float() }

// around returns the bounds of mean ± half; with half 0 both are the mean as it is shown.
func around(mean, half *big.Rat, shown Number) Bounds {
	if half.Sign() == 0 {
		return Bounds{shown, shown}
	}
	return Bounds{Derived(new(big.Rat).Sub(mean, half)), Derived(new(big.Rat).Add(mean, half))}
}

// root returns the square root of r >= 0 with 200 bits, far more than six digits show.
func root(r *big.Rat) *big.Rat {
	const bits = 200
	f := new(big.Float).SetPrec(bits).SetRat(r)
	exact, _ := f.Sqrt(f).Rat(nil)
	return exact
}

// steady keeps ten digits of a float: the last ones may differ from one processor to the next.
func steady(f float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'e', 9, 64))
	if !ok {
		panic("result: no rational for " + strconv.FormatFloat(f, 'g', -1, 64))
	}
	return r
}

// studentT returns the 97.5 % quantile of Student's t.
func studentT(freedom int64) *big.Rat {
	return steady(distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(0.975))
}

// normalZ returns the 97.5 % quantile of the normal distribution.
func normalZ() *big.Rat { return steady(distuv.UnitNormal.Quantile(0.975)) }

// varianceOfMean returns s²/n, where s² = Σ(v-mean)²/(n-1).
func varianceOfMean(values []*big.Rat, mean *big.Rat) *big.Rat {
	squares, d := new(big.Rat), new(big.Rat)
	for _, v := range values {
		d.Sub(v, mean)
		squares.Add(squares, d.Mul(d, d))
	}
	n := int64(len(values))
	return squares.Quo(squares, new(big.Rat).SetInt64((n-1)*n))
}

// halfWidth returns t(0.975, n-1)·s/√n: half of Student's 95 % interval for the mean.
func halfWidth(values []*big.Rat, mean *big.Rat) *big.Rat {
	half := root(varianceOfMean(values, mean))
	return half.Mul(half, studentT(int64(len(values))-1))
}
