package preset

// A Kind is the shape of a Value.
type Kind uint8

// The shapes of values. The zero Value is null, which for an option means its default.
const (
	Null Kind = iota
	Scalar
	List
	Map
)

// A Value is one node of a preset's options as the user wrote them, whatever the format of the file.
type Value struct {
	Kind   Kind
	Text   string // of a scalar, as written
	Quoted bool   // the scalar is a text in quotes
	List   []Value
	Map    []Entry
	Ref    int // the caller's own handle on the node, given back in a Problem
}

// An Entry is one key of a map and its value.
type Entry struct {
	Key    string
	KeyRef int // as Value.Ref, of the key
	Value  Value
}

// A Problem is a mistake in a preset's options.
type Problem struct {
	Ref     int      // the node concerned: a Value's Ref or an Entry's KeyRef
	Message string   // lower case, names the option
	Hint    string   // what to write instead; may be empty
	Allowed []string // for an unknown name: the names that are known
}

// shape returns a kind in a user's words.
func (k Kind) shape() string {
	return [...]string{"nothing", "a single value", "a list", "a map"}[k]
}
