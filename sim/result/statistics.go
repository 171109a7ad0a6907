package result

import (
	"math/big"
	"slices"
)

// NewMetric sums up one value per replication; nil means that the replication has no value. exact says that the values
// are integers or instants, which print every decimal; others are rounded to six significant digits. The mean prints
// exactly when it is an integer, or when all exact values are the same. All arithmetic is done on the exact values and
// rounded once. It panics when no replication has a value: such a metric is left out of a result.
func NewMetric(values []*big.Rat, exact bool) Metric {
	number := Derived
	if exact {
		number = Exact
	}
	m := Metric{Values: make([]*Number, len(values))}
	known := present(values)
	for i, v := range values {
		if v != nil {
			n := number(v)
			m.Values[i] = &n
		}
	}
	least, most := slices.MinFunc(known, (*big.Rat).Cmp), slices.MaxFunc(known, (*big.Rat).Cmp)
	m.Min, m.Max = number(least), number(most)
	mean := meanOf(known)
	switch {
	case exact && (mean.IsInt() || least.Cmp(most) == 0):
		m.Mean = Exact(mean)
	default:
		m.Mean = Derived(mean)
	}
	if len(known) < 2 {
		return m
	}
	m.CI95 = (*[2]Number)(new(around(mean, halfWidth(known, mean), m.Mean)))
	return m
}

// MeanOf returns the mean of the values that are not nil. Integers print exactly, and so does a mean of equal values that
// is a whole number of nanoseconds; others are rounded once to six significant digits. It panics when every value is nil.
func MeanOf(values []*big.Rat) Number {
	known := present(values)
	mean := meanOf(known)
	n, finite := mean.FloatPrec()
	same := slices.MinFunc(known, (*big.Rat).Cmp).Cmp(slices.MaxFunc(known, (*big.Rat).Cmp)) == 0
	if finite && (n == 0 || same && n <= 9) {
		return Exact(mean)
	}
	return Derived(mean)
}

func present(values []*big.Rat) []*big.Rat {
	known := make([]*big.Rat, 0, len(values))
	for _, v := range values {
		if v != nil {
			known = append(known, v)
		}
	}
	if len(known) == 0 {
		panic("result: a metric without any value")
	}
	return known
}

func meanOf(values []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, v := range values {
		sum.Add(sum, v)
	}
	return sum.Quo(sum, new(big.Rat).SetInt64(int64(len(values))))
}

// NewTrack returns one series from its counts per bin, one row per replication; rows may end early, as if zeros
// followed. With several replications it holds per-bin quantiles by nearest rank: the value of rank ⌈p·n⌉ among n.
// It panics without a row.
func NewTrack(runs [][]int64) Track {
	t := Track{First: trim(runs[0])}
	if len(runs) == 1 {
		return t
	}
	bins := 0
	for _, r := range runs {
		bins = max(bins, len(r))
	}
	t.P5, t.P50, t.P95 = make([]int64, bins), make([]int64, bins), make([]int64, bins)
	column := make([]int64, len(runs))
	for b := range bins {
		for i, r := range runs {
			column[i] = 0
			if b < len(r) {
				column[i] = r[b]
			}
		}
		slices.Sort(column)
		t.P5[b], t.P50[b], t.P95[b] = rank(column, 5), rank(column, 50), rank(column, 95)
	}
	t.P5, t.P50, t.P95 = trim(t.P5), trim(t.P50), trim(t.P95)
	return t
}

// rank returns the percent-quantile of sorted values by nearest rank.
func rank(sorted []int64, percent int) int64 {
	return sorted[(percent*len(sorted)+99)/100-1]
}

// trim drops zeros from the end; what is left is never nil, so that JSON shows an empty list.
func trim(counts []int64) []int64 {
	n := len(counts)
	for n > 0 && counts[n-1] == 0 {
		n--
	}
	return append([]int64{}, counts[:n]...)
}
