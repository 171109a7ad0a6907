package plan

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"herdsim/sim/policy"
	"herdsim/sim/rng"
)

var (
	two    = policy.Fraction{Num: 2, Den: 1}
	second = time.Second
)

func exponential(cap time.Duration) policy.Curve { return policy.Exponential(second, two, cap) }

// irwinHall returns P(Σ(a_k + U(0, b_k)) < x), exactly: 1/(n!·∏b) · Σ over the subsets A of (−1)^|A| (x − Σa − Σ_A b)₊ⁿ.
func irwinHall(a, b []time.Duration, x time.Duration) float64 {
	left := big.NewInt(int64(x))
	scale := big.NewInt(1)
	for k := range a {
		left.Sub(left, big.NewInt(int64(a[k])))
		scale.Mul(scale, big.NewInt(int64(b[k]))).Mul(scale, big.NewInt(int64(k+1)))
	}
	sum, n := new(big.Int), big.NewInt(int64(len(b)))
	for subset := range 1 << len(b) {
		rest, sign := new(big.Int).Set(left), 1
		for k := range b {
			if subset>>k&1 == 1 {
				rest.Sub(rest, big.NewInt(int64(b[k])))
				sign = -sign
			}
		}
		if rest.Sign() > 0 {
			sum.Add(sum, rest.Exp(rest, n, nil).Mul(rest, big.NewInt(int64(sign))))
		}
	}
	p, _ := new(big.Rat).SetFrac(sum, scale).Float64()
	return p
}

// outlast asks for the chance of the n-retry budget.
func outlast(t *testing.T, p policy.Policy, span time.Duration, n int) float64 {
	t.Helper()
	o, err := Outlast(p, Question{Span: span, Confidence: 0.95, Retries: n})
	if err != nil {
		t.Fatal(err)
	}
	return o.Given.Chance
}

// The worked cases of a budget that is too short: four waits of 1, 2, 4 and 8 s against an outage of 10 s.
func TestBudgetTooShort(t *testing.T) {
	for _, c := range []struct {
		jitter policy.Jitter
		dead   float64
	}{
		{policy.None{}, 0}, {policy.Equal{}, 101.0 / 512}, {policy.Full{}, 411.0 / 512},
	} {
		p := policy.New(exponential(8*second), c.jitter)
		if dead := 1 - outlast(t, p, 10*second, 4); math.Abs(dead-c.dead) > 1e-8 {
			t.Errorf("%#v: share dead %.9f, want %.9f", c.jitter, dead, c.dead)
		}
	}
}

// Sums of uniform waits of any widths have the law that is known in closed form.
func TestChanceIsThatOfTheClosedForm(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 15 {
		n := 1 + random.IntN(9)
		var a, b, tops []time.Duration
		var jitters []policy.Jitter
		for range n {
			d := time.Duration(random.Int64N(int64(20 * second)))
			jitters = append(jitters, []policy.Jitter{policy.Full{}, policy.Equal{}, policy.Up{Fraction: policy.Fraction{Num: 1, Den: 3}}}[random.IntN(3)])
			tops = append(tops, d)
			law := jitters[len(jitters)-1].(policy.Described).Law(d, 1)
			a, b = append(a, law[0].From), append(b, law[0].To()-law[0].From)
		}
		span := time.Duration(random.Int64N(int64(time.Duration(n)*15*second))) + 1
		want := 1 - irwinHall(a, b, span)
		if got := outlast(t, mixed{tops, jitters}, span, n); math.Abs(got-want) > 1e-6 {
			t.Errorf("%v + %v outlast %v with %.9f, want %.9f", a, b, span, got, want)
		}
	}
}

// mixed is a policy with a jitter of its own for each wait.
type mixed struct {
	waits   []time.Duration
	jitters []policy.Jitter
}

func (m mixed) Wait(f policy.Failure, draw *rng.Draw) time.Duration {
	return m.jitters[m.at(f)].Spread(m.waits[m.at(f)], f.Number, draw)
}

func (m mixed) at(f policy.Failure) int { return min(f.Number, len(m.waits)) - 1 }

func (m mixed) Law(f policy.Failure) policy.Law {
	return m.jitters[m.at(f)].(policy.Described).Law(m.waits[m.at(f)], f.Number)
}

func (m mixed) Price(f policy.Failure) (wait, uncapped time.Duration) {
	return m.waits[m.at(f)], m.waits[m.at(f)]
}

// Waits in whole steps are counted one by one.
func TestChanceOfWaitsInSteps(t *testing.T) {
	ms := time.Millisecond
	p := policy.New(policy.Ladder([]time.Duration{7 * ms, 5 * ms, 9 * ms}), policy.Steps{Size: ms, Jitter: policy.Full{}})
	for _, span := range []time.Duration{1, ms, 3*ms + 1, 10 * ms, 20 * ms, 21 * ms, 22 * ms} {
		lasting := 0
		for i := range 8 * 6 * 10 {
			if sum := time.Duration(i%8+i/8%6+i/48) * ms; sum >= span {
				lasting++
			}
		}
		if got, want := outlast(t, p, span, 3), float64(lasting)/480; math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %.12f, want %d/480", span, got, lasting)
		}
	}
}

func TestSmallestBudgets(t *testing.T) {
	capped := exponential(time.Minute)
	for _, c := range []struct {
		name                      string
		p                         policy.Policy
		span                      time.Duration
		surely, onAverage, likely int // retries; -1: none
	}{
		{"fixed, to the instant", policy.New(policy.Fixed(second), policy.None{}), 10 * second, 10, 10, 10},
		{"fixed, just beyond", policy.New(policy.Fixed(second), policy.None{}), 10*second + 1, 11, 11, 11},
		{"doubling", policy.New(capped, policy.None{}), time.Minute, 6, 6, 6},
		{"full", policy.New(capped, policy.Full{}), time.Minute, -1, 7, 9},
		{"equal", policy.New(capped, policy.Equal{}), time.Minute, 7, 7, 7},
		{"wobble", policy.New(capped, policy.Add{Hi: second}), time.Minute, 6, 6, 6},
		{"up", policy.New(policy.Fixed(second), policy.Up{Fraction: policy.Fraction{Num: 1, Den: 1}}), 3 * second, 3, 2, 3},
		{"many", policy.New(policy.Fixed(second), policy.Full{}), 500 * second, -1, 1000, 1031},
		{"nothing at all", policy.New(policy.Fixed(0), policy.None{}), second, -1, -1, -1},
	} {
		o, err := Outlast(c.p, Question{Span: c.span, Confidence: 0.95, Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []struct {
			how  string
			got  *Budget
			want int
		}{{"surely", o.Surely, c.surely}, {"on average", o.OnAverage, c.onAverage}, {"likely", o.Likely, c.likely}} {
			switch {
			case b.got == nil && b.want >= 0:
				t.Errorf("%s, %s: none, want %d", c.name, b.how, b.want)
			case b.got != nil && b.got.Retries != b.want:
				t.Errorf("%s, %s: %d retries (%+v), want %d", c.name, b.how, b.got.Retries, *b.got, b.want)
			}
		}
	}
}

// Where the sum of many waits is nearly normal, so is the chance.
func TestChanceOfManyWaits(t *testing.T) {
	const n = 2000
	span := time.Duration(n) * second / 2
	got := outlast(t, policy.New(policy.Fixed(second), policy.Full{}), span-time.Duration(12.91*float64(second)), n)
	if want := 0.841; math.Abs(got-want) > 0.002 { // the deviation is √(n/12) = 12.91 s
		t.Errorf("chance %.4f, want %.4f", got, want)
	}
}
