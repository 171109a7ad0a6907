package scenario

// Limits on what is read. A text beyond them is refused before it can cost time or memory.
const (
	maxBytes    = 1 << 20   // of the file, and of one value of --set
	maxDepth    = 32        // of maps and lists inside each other
	maxNodes    = 20_000    // values, keys and items, each alias counted as what it stands for
	maxKeys     = 256       // in one map
	maxCases    = 10_000    // combinations of the matrix
	maxChecked  = 50_000    // cases times checks
	maxVisits   = 2_000_000 // cases times nodes
	maxOverlaid = 500_000   // cases times nodes of what each policy overrides
	maxProblems = 200       // different errors, and warnings, that are reported
	maxErrors   = 20_000    // errors, repetitions counted, after which no further case is read
	maxText     = 10_000    // characters of a description
	maxLabel    = 100       // characters of a label
	maxHint     = 500       // characters of a check's hint
	maxListed   = 1 << 27   // bytes of all files of instants
)

// Limits on what is simulated.
const (
	maxTogether = 100_000_000 // jobs of the cohorts that arrive all at once or over a spread: they wait in memory together
	maxWindows  = 100_000     // outages and phases, repetitions counted
	maxBins     = 100_000     // of the histograms
)
