package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"herdsim/sim/result"
)

// A node is an element of any document.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []node     `xml:",any"`
	Text    string     `xml:",chardata"`
}

// attr returns an attribute, or def where there is none.
func (n *node) attr(name, def string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return def
}

// A schema checks documents against as much of XML Schema as testdata/junit.xsd uses: elements that are declared at the top,
// sequences and choices of references to them, and attributes of simple types. It panics at anything else.
type schema map[string]node // the declarations of elements, by name

func junitSchema(t *testing.T) schema {
	t.Helper()
	data, err := os.ReadFile("testdata/junit.xsd")
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := xml.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	s := schema{}
	for _, n := range root.Nodes {
		s[n.attr("name", "")] = n
	}
	return s
}

// simple holds what the values of the simple types look like.
var simple = map[string]*regexp.Regexp{
	"xs:string":             regexp.MustCompile(`(?s)^.*$`),
	"xs:nonNegativeInteger": regexp.MustCompile(`^\+?[0-9]+$`),
	"xs:decimal":            regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$`),
	"xs:dateTime":           regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?$`),
}

// validate reads a document whose root is to be of the given name.
func (s schema) validate(root string, data []byte) error {
	var n node
	if err := xml.Unmarshal(data, &n); err != nil {
		return err
	}
	if n.XMLName.Local != root {
		return fmt.Errorf("the root is %s", n.XMLName.Local)
	}
	return s.element(&n)
}

func (s schema) element(n *node) error {
	name := n.XMLName.Local
	rule, declared := s[name]
	if !declared {
		return fmt.Errorf("no element is called %s", name)
	}
	content, mixed, attributes := "", rule.attr("type", "") == "xs:string", []node(nil)
	for _, complexType := range rule.Nodes {
		mixed = complexType.attr("mixed", "") == "true"
		for _, part := range complexType.Nodes {
			if part.XMLName.Local == "attribute" {
				attributes = append(attributes, part)
				continue
			}
			content += model(&part)
		}
	}
	if !mixed && strings.TrimSpace(n.Text) != "" {
		return fmt.Errorf("text in %s: %q", name, n.Text)
	}
	children := ""
	for i := range n.Nodes {
		children += "<" + n.Nodes[i].XMLName.Local + ">"
	}
	if !regexp.MustCompile("^(?:" + content + ")$").MatchString(children) {
		return fmt.Errorf("%s holds %q, but must match %s", name, children, content)
	}
	if err := allowed(n, attributes); err != nil {
		return err
	}
	for i := range n.Nodes {
		if err := s.element(&n.Nodes[i]); err != nil {
			return err
		}
	}
	return nil
}

// model returns a part of an element's content as a regular expression over its children's names.
func model(part *node) string {
	var inner []string
	for i := range part.Nodes {
		inner = append(inner, model(&part.Nodes[i]))
	}
	text := ""
	switch kind := part.XMLName.Local; kind {
	case "element":
		text = "<" + regexp.QuoteMeta(part.attr("ref", "")) + ">"
	case "sequence":
		text = strings.Join(inner, "")
	case "choice":
		text = strings.Join(inner, "|")
	default:
		panic("the validator knows no " + kind)
	}
	return "(?:" + text + "){" + part.attr("minOccurs", "1") + "," + strings.Replace(part.attr("maxOccurs", "1"), "unbounded", "", 1) + "}"
}

// allowed checks an element's attributes.
func allowed(n *node, rules []node) error {
	for _, a := range n.Attrs {
		if !slices.ContainsFunc(rules, func(r node) bool { return r.attr("name", "") == a.Name.Local }) {
			return fmt.Errorf("%s has an attribute %s", n.XMLName.Local, a.Name.Local)
		}
	}
	for i := range rules {
		name := rules[i].attr("name", "")
		present := slices.ContainsFunc(n.Attrs, func(a xml.Attr) bool { return a.Name.Local == name })
		switch value := n.attr(name, ""); {
		case !present && rules[i].attr("use", "optional") == "required":
			return fmt.Errorf("%s has no %s", n.XMLName.Local, name)
		case present && !simple[rules[i].attr("type", "")].MatchString(value):
			return fmt.Errorf("%s of %s is %q", name, n.XMLName.Local, value)
		}
	}
	return nil
}

// xmllint checks a document by the program of that name; installed is false where there is none.
func xmllint(data []byte) (installed bool, err error) {
	path, err := exec.LookPath("xmllint")
	if err != nil {
		return false, nil
	}
	c := exec.Command(path, "--noout", "--nonet", "--schema", "testdata/junit.xsd", "-")
	c.Stdin = bytes.NewReader(data)
	if out, err := c.CombinedOutput(); err != nil {
		return true, fmt.Errorf("xmllint: %w\n%s", err, out)
	}
	return true, nil
}

// junitRead validates a report and returns it. A report says nothing of when it was made or how long that took.
func junitRead(t *testing.T, data []byte) junitSuites {
	t.Helper()
	if err := junitSchema(t).validate("testsuites", data); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if _, err := xmllint(data); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if regexp.MustCompile(`<[a-z-]+ [^>]*\btime(stamp)?="`).Match(data) {
		t.Errorf("the report tells the time:\n%s", data)
	}
	var all junitSuites
	if err := xml.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func junitOf(w io.Writer, results []*result.Result) error { return JUnit(w, results, nil) }

// A scenario that cannot be run is a suite with one error, whatever its text.
func TestJUnitFault(t *testing.T) {
	const evil = "]]></error>|& <b> \x1b[2J\ufffe\"'"
	var b bytes.Buffer
	if err := JUnit(&b, []*result.Result{demanding()}, []Fault{{Name: "broken", File: "a/broken.yaml", Title: evil, Text: "  --> a/broken.yaml:1:1\n" + evil}}); err != nil {
		t.Fatal(err)
	}
	all := junitRead(t, b.Bytes())
	s := all.Suites[len(all.Suites)-1]
	if all.Tests != 6 || all.Failures != 3 || all.Errors != 1 || s.Name != "broken" || s.Tests != 1 || s.Errors != 1 || s.File != "a/broken.yaml" {
		t.Errorf("report of %d tests, %d failures, %d errors; suite %+v", all.Tests, all.Failures, all.Errors, s)
	}
	if e := s.Cases[0].Error; e == nil || s.Cases[0].Failure != nil || !strings.HasPrefix(e.Body, "  --> a/broken.yaml:1:1\n]]></error>") {
		t.Errorf("case %+v", s.Cases[0])
	}
}

// What is broken in one place is refused, by the schema and by xmllint alike.
func TestJUnitSchemaRefuses(t *testing.T) {
	good := string(formOf(t, junitOf, demanding()))
	for name, edit := range map[string][2]string{
		"not closed":           {"</testsuites>", ""},
		"another root":         {"testsuites", "suites"},
		"unknown element":      {"<properties>", "<remark></remark><properties>"},
		"unknown attribute":    {` errors="0">`, ` errors="0" colour="red">`},
		"no name":              {`<testcase name="dlq [fixed]" `, `<testcase `},
		"no class":             {` classname="outage-herd.fixed"`, ``},
		"count with a sign":    {`failures="3"`, `failures="-3"`},
		"count that is a word": {`tests="5"`, `tests="five"`},
		"property twice":       {"</properties>", "</properties><properties></properties>"},
		"property behind":      {"</testsuite>", "<properties></properties></testsuite>"},
		"case in a case":       {`<failure `, `<testcase name="a" classname="b"></testcase><failure `},
		"output first":         {`<failure `, `<system-out>a</system-out><failure `},
		"skipped and failed":   {`<failure `, `<skipped></skipped><failure `},
		"element in output":    {`<system-out>`, `<system-out><failure></failure>`},
		"element in failure":   {`</failure>`, `<b></b></failure>`},
		"text between":         {`<properties>`, `text<properties>`},
		"time that is none":    {`<testcase `, `<testcase time="1s" `},
	} {
		bad := strings.ReplaceAll(good, edit[0], edit[1])
		if bad == good {
			t.Fatalf("%s: nothing to replace", name)
		}
		if junitSchema(t).validate("testsuites", []byte(bad)) == nil {
			t.Errorf("%s: the schema lets it pass", name)
		}
		if installed, err := xmllint([]byte(bad)); installed && err == nil {
			t.Errorf("%s: xmllint lets it pass", name)
		}
	}
}
