package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"herdsim/sim/result"
)

// maxBytes bounds a result that is read back.
const maxBytes = 256 << 20

// ReadJSON reads a result that JSON wrote, of at most 256 MiB. Whatever else it meets is an error that says what is
// wrong and, where it can, in which line.
func ReadJSON(r io.Reader) (*result.Result, error) {
	data, err := readBounded(r, maxBytes)
	if err != nil {
		return nil, err
	}
	version, err := readHead(data)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var found result.Result
	if err := dec.Decode(&found); err != nil {
		return nil, fmt.Errorf("result written by herdsim %.40q: %w", version, located(data, err))
	}
	if err := found.Validate(); err != nil {
		return nil, fmt.Errorf("result written by herdsim %.40q: %w", version, err)
	}
	return &found, nil
}

// readBounded reads a text of at most limit bytes.
func readBounded(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the result: %w", err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("the result is larger than %d bytes", limit)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("the result is empty")
	case !utf8.Valid(data):
		return nil, errors.New("not a herdsim result: not UTF-8 text")
	}
	return data, nil
}

// readHead looks at the format first: of a file that is something else, no detail is worth a message. It returns the
// version of the program that wrote the file.
func readHead(data []byte) (version string, err error) {
	var head struct {
		Format  *string `json:"format"`
		Version string  `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return "", fmt.Errorf("not a herdsim result: %w", located(data, err))
	}
	if head.Format == nil {
		return "", fmt.Errorf("not a herdsim result: it has no `format: %q`", result.Format)
	}
	if *head.Format != result.Format {
		return "", fmt.Errorf("format %.40q cannot be read by this version, which reads %q", *head.Format, result.Format)
	}
	return head.Version, nil
}

// located puts an error of encoding/json into the user's words, with the line where it knows the offset.
func located(data []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", line(data, syntax.Offset), err)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: field %q does not take a %s", line(data, kind.Offset), kind.Field, kind.Value)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

func line(data []byte, offset int64) int {
	offset = min(max(offset, 0), int64(len(data)))
	return 1 + bytes.Count(data[:offset], []byte{'\n'})
}
