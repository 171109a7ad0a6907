package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// A Setting is one path of a scenario and the value (as written in YAML) that a case gives it.
type Setting struct{ Path, Value string }

// Settings are a case's settings in the order of the matrix; in JSON an object with the keys in that order.
type Settings []Setting

// MarshalJSON writes an object that keeps the order.
func (s Settings) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, e := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(e.Path); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(e.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads an object of strings, keeping the order. A path may come once.
func (s *Settings) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	t, err := dec.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return fmt.Errorf("set: want an object, found %v", t)
	}
	*s = Settings{}
	for dec.More() {
		k, err := dec.Token()
		if err != nil {
			return err
		}
		path, _ := k.(string) // the keys of an object are strings
		var value *string
		if err := dec.Decode(&value); err != nil || value == nil {
			return fmt.Errorf("set: the value of %q is not a string", path)
		}
		if slices.ContainsFunc(*s, func(e Setting) bool { return e.Path == path }) {
			return fmt.Errorf("set: %q comes twice", path)
		}
		*s = append(*s, Setting{path, *value})
	}
	return nil
}
