package decoding

import (
	"bytes"
	"math/rand"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value: a literal, or the members of an object, or the
// elements of an array.
type node struct {
	kind     jsontext.Kind
	literal  string
	names    []string // literals
	children []*node
}

// parse returns the value of the text.
func parse(text []byte) (*node, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return parseNext(dec)
}

func parseNext(dec *jsontext.Decoder) (*node, error) {
	n := &node{kind: dec.PeekKind()}
	if n.kind != '{' && n.kind != '[' {
		v, err := dec.ReadValue()
		n.literal = string(v)
		return n, err
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for k := dec.PeekKind(); k != '}' && k != ']'; k = dec.PeekKind() {
		if n.kind == '{' {
			name, err := dec.ReadValue()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, string(name))
		}
		child, err := parseNext(dec)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	_, err := dec.ReadToken()
	return n, err
}

func (n *node) write(b *strings.Builder) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, c := range n.children {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(n.names[i] + ":")
			c.write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, c := range n.children {
			if i > 0 {
				b.WriteByte(',')
			}
			c.write(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(n.literal)
	}
}

// all appends n and all values in it.
func (n *node) all(to []*node) []*node {
	to = append(to, n)
	for _, c := range n.children {
		to = c.all(to)
	}
	return to
}

// literals are values that decoders may treat differently.
var literals = []string{
	"null", "true", "false", "0", "-0", "1", "-1", "255", "256", "2147483647", "2147483648", "-9223372036854775808",
	"9223372036854775808", "18446744073709551616", "1e2", "1E+2", "1.0", "0.1", "1e400", "1e-400", "123456789012345678901234567890",
	`""`, `"x"`, `"0"`, `"1e2"`, `"null"`, `"5m"`, `"10Gi"`, `"25%"`, `"AQI="`, `"AQI"`, `"AQ\nI="`, `"\u0000"`, `"\ud800"`, `"\ud83d\ude00"`, "\"\xff\xc3\"",
	`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.123456Z"`, `"2026-01-02 03:04:05"`, `"2026-13-02T03:04:05Z"`, `"Widget"`, `"List"`, `"Status"`, `"v1"`, `"apps/v1"`, `"a/b/c"`,
	"{}", "[]", "[null]", "[1,2]", `{"a":1}`, `{"a":{"b":[]}}`, "[[[]]]",
}

// Mutate returns a text derived from a valid one, with other values, members or bytes.
func Mutate(random *rand.Rand, text []byte) []byte {
	root, err := parse(text)
	if err != nil {
		return mutateBytes(random, text)
	}
	for range 1 + random.Intn(2) {
		root.mutate(random)
	}
	var b strings.Builder
	root.write(&b)
	text = []byte(b.String())
	if random.Intn(5) == 0 {
		text = mutateBytes(random, text)
	}
	return text
}

// mutate changes one value in n, more often one near the root.
func (n *node) mutate(random *rand.Rand) {
	nodes := n.all(nil)
	at := nodes[random.Intn(len(nodes))]
	if random.Intn(4) == 0 {
		at = n
	}
	some := func() *node { return &node{literal: literals[random.Intn(len(literals))]} }
	if len(at.children) == 0 {
		// Usually a value that may be valid as well.
		to := some()
		for range random.Intn(40) {
			if jsontext.Value(to.literal).Kind() == at.kind {
				break
			}
			to = some()
		}
		*at = *to
		return
	}
	i := random.Intn(len(at.children))
	switch random.Intn(12) {
	case 0, 1: // another value
		at.children[i] = some()
	case 2: // left out
		at.children = slices.Delete(at.children, i, i+1)
		if at.kind == '{' {
			at.names = slices.Delete(at.names, i, i+1)
		}
	case 3: // twice, with the same value or another
		at.insert(random, i, at.children[i])
	case 4:
		at.insert(random, i, some())
	case 5: // the value of another member
		at.insert(random, i, at.children[random.Intn(len(at.children))])
	case 6: // the order
		random.Shuffle(len(at.children), func(a, b int) {
			at.children[a], at.children[b] = at.children[b], at.children[a]
			if at.kind == '{' {
				at.names[a], at.names[b] = at.names[b], at.names[a]
			}
		})
	case 7: // a value from elsewhere
		at.children[i] = nodes[random.Intn(len(nodes))].clone()
	case 8: // deeper
		inner := at.children[i]
		for range random.Intn(4) {
			inner = &node{kind: '[', children: []*node{inner}}
		}
		at.children[i] = inner
	default: // another name
		if at.kind == '{' {
			at.names[i] = rename(random, at.names[i])
		} else {
			at.children[i] = some()
		}
	}
}

func (n *node) clone() *node {
	c := *n
	c.names, c.children = slices.Clone(n.names), slices.Clone(n.children)
	for i := range c.children {
		c.children[i] = c.children[i].clone()
	}
	return &c
}

// insert inserts the value after the member or element i, or at the end.
func (n *node) insert(random *rand.Rand, i int, child *node) {
	at := len(n.children)
	if random.Intn(2) == 0 {
		at = i + 1
	}
	if n.kind == '{' {
		n.names = slices.Insert(n.names, at, n.names[i])
	}
	n.children = slices.Insert(n.children, at, child.clone())
}

// rename returns a literal of a name that some decoder may treat as the same.
func rename(random *rand.Rand, name string) string {
	switch random.Intn(8) {
	case 0:
		return strings.ToUpper(name)
	case 1:
		return strings.ToLower(name)
	case 2:
		return `"` + strings.ToUpper(name[1:2]) + name[2:]
	case 3:
		return strings.ReplaceAll(strings.ReplaceAll(name, "k", "\u212a"), "s", "\u017f")
	case 4:
		return strings.ReplaceAll(name, "a", `\u0061`)
	case 5:
		return `"kind"`
	case 6:
		return `"apiVersion"`
	default:
		return `"items"`
	}
}

// Bytes with a meaning in JSON, and text that may follow a value.
var (
	signs = "{}[]\",:\\0-.eEn \n\xff\x00"
	tails = []string{" ", "\n\n", "}", "{}", "null", ",", "\x00", "x"}
)

// mutateBytes changes bytes anywhere.
func mutateBytes(random *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	at := func() int { return random.Intn(len(text) + 1) }
	switch random.Intn(7) {
	case 0: // cut
		return text[:at()]
	case 1: // more text after it
		return append(text, tails[random.Intn(len(tails))]...)
	case 2: // an additional byte
		return slices.Insert(text, at(), signs[random.Intn(len(signs))])
	case 3: // some bytes removed
		if i := at(); i < len(text) {
			return slices.Delete(text, i, min(len(text), i+1+random.Intn(3)))
		}
	case 4: // another byte
		if i := at(); i < len(text) {
			text[i] = byte(random.Intn(256))
		}
	case 5: // a part repeated
		i := at()
		return slices.Insert(text, at(), bytes.Clone(text[i:min(len(text), i+random.Intn(64))])...)
	default: // spaces
		return bytes.ReplaceAll(text, []byte{'{'}, []byte(" \t{\r\n"))
	}
	return text
}
