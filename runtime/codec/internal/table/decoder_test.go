package table_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/table"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

var (
	duration = flag.Duration("duration", 0, "decode mutated texts for so long")
	seed     = flag.Int64("seed", 1, "where random numbers start")
)

// contest decodes texts in all ways and compares the results with the exact decoder's.
type contest struct {
	decoders []*table.Decoder
	ring     [64]struct{ got, want *Odd }

	texts, same, refused, fallbacks int
}

func newContest() *contest {
	return &contest{decoders: []*table.Decoder{{}, {Stream: intern.Stream{Level: intern.Short}}, {Stream: intern.Stream{Level: intern.All}}, {Stream: intern.Stream{Level: intern.All, Share: true}}}}
}

// check decodes text with the next decoder.
func (c *contest) check(t testing.TB, text []byte) {
	t.Helper()
	d := c.decoders[c.texts%len(c.decoders)]
	c.texts++
	want, got := new(Odd), new(Odd)
	wantErr := kjson.UnmarshalCaseSensitivePreserveInts(bytes.Clone(text), want)
	own := bytes.Clone(text)
	next := d.Object(own, 0, table.Of(reflect.TypeFor[Odd]()), reflect.ValueOf(got))
	if next >= 0 && jsonscan.Space(own, next) != len(own) {
		next = -1
	}
	for i := range own {
		own[i] = '#'
	}
	switch {
	case next < 0 && wantErr == nil:
		c.fallbacks++
	case next < 0:
		c.refused++
	case wantErr != nil:
		t.Errorf("%s\nis decoded, want %v", text, wantErr)
	case !equal(d.Stream.Share, want, got):
		t.Errorf("%s\n(-want, +got) %s", text, cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })))
	default:
		c.same++
		kept := &c.ring[c.same%len(c.ring)]
		if kept.got != nil && !reflect.DeepEqual(kept.got, kept.want) {
			t.Errorf("changed later: %+v, was %+v", kept.got, kept.want)
		}
		kept.got, kept.want = got, want
	}
}

// equal compares objects. If they share parts, their quantities have texts.
func equal(shared bool, want, got *Odd) bool {
	if shared {
		for _, o := range []*Odd{want, got} {
			_ = o.Q.String()
			for name, q := range o.Qs {
				_ = q.String()
				o.Qs[name] = q
			}
		}
	}
	return reflect.DeepEqual(want, got)
}

// TestObject decodes a text in several forms, none of which needs a fallback.
func TestObject(t *testing.T) {
	c := newContest()
	var tree any
	if err := json.Unmarshal([]byte(oddText), &tree); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	indented, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		for _, text := range [][]byte{[]byte(oddText), sorted, indented, []byte(`{}`), []byte(" {\n} ")} {
			c.check(t, text)
		}
	}
	if c.same != c.texts {
		t.Errorf("%d of %d texts were decoded", c.same, c.texts)
	}
}

// TestMutated decodes texts that were changed anywhere.
func TestMutated(t *testing.T) {
	c := newContest()
	random := rand.New(rand.NewSource(*seed))
	for start := time.Now(); c.texts < 2000 || time.Since(start) < *duration; {
		c.check(t, mutate(random, []byte(oddText)))
		if t.Failed() {
			break
		}
	}
	t.Logf("%d texts: %d the same object, %d refused by both, %d fallbacks that the exact decoder decodes", c.texts, c.same, c.refused, c.fallbacks)
	if c.same < c.texts/8 || c.refused < c.texts/8 {
		t.Error("too few of a kind")
	}
}

func FuzzObject(f *testing.F) {
	f.Add([]byte(oddText))
	random := rand.New(rand.NewSource(1))
	for range 100 {
		f.Add(mutate(random, []byte(oddText)))
	}
	c := newContest()
	f.Fuzz(func(t *testing.T, text []byte) {
		for range c.decoders {
			c.check(t, bytes.Clone(text))
		}
	})
}

// span is a value in a text, or the name of a member.
type span struct {
	from, to int
	name     bool
}

// spans returns the values and names in a text, or nil if it is not JSON.
func spans(text []byte) (all []span) {
	s := jsonscan.Scanner{Text: text}
	var walk func(i int) int
	walk = func(i int) int {
		next := jsonscan.Value(text, i)
		if next < 0 {
			return next
		}
		all = append(all, span{i, next, false})
		switch text[i] {
		case '{':
			s.Members(i, func(name []byte, _ uint64, i int) int {
				from := bytes.LastIndexByte(text[:bytes.LastIndexByte(text[:i], ':')], '"')
				if from -= len(name) + 1; from >= 0 && text[from] == '"' {
					all = append(all, span{from, from + len(name) + 2, true})
				}
				return walk(i)
			})
		case '[':
			s.Elements(i, walk)
		}
		return next
	}
	if end := walk(jsonscan.Space(text, 0)); end < 0 || jsonscan.Space(text, end) != len(text) {
		return nil
	}
	return all
}

var (
	values = []string{
		`null`, `true`, `false`, `0`, `-0`, `1`, `-1`, `01`, `1.0`, `1.5`, `1e3`, `1E400`, `-`, `1.`, `.5`, `2147483648`, `-2147483649`,
		`4294967296`, `9223372036854775807`, `9223372036854775808`, `99999999999999999999`, `0.1`, `123456789.125`, `1e-7`, `3.4e39`,
		`1234567890123456`, `123456789012345`, `0.123456789012345`,
		`""`, `"x"`, `"a\u0041\n"`, `"\ud800"`, `"\ud83d\ude00"`, `"\ud83d\u0041"`, `"\udc00\ud800"`, "\"\xff\xfe\"", "\"\xed\xa0\x80\"",
		"\"a\x01b\"", `"\x"`, `"\/"`, `"\'"`, `"é€😀"`, `"\u00zz"`, "\"\u2028\"", "\"\x7f\"", `"plain plain plain plain plain"`,
		`"` + strings.Repeat("long ", 120) + `"`,
		`{}`, `[]`, `[null]`, `{"a":null}`, `{"a":"b","a":"c"}`, `{"":""}`, `{"a":1}`, `["a",1]`, `[[]]`, `{"x":[}}`, `[1,]`, `{"a":1,}`, `{,}`,
		`nul`, `tru`, `NaN`, `Infinity`, `'x'`, `"5s"`, `"1h2m"`, `"25%"`, `"2026-03-01T12:00:00Z"`, `"2026-03-01T12:00:00.123456Z"`,
		`"2026-03-01T12:00:00+02:00"`, `"2026-02-30T12:00:00Z"`, `"2026-03-01t12:00:00z"`, `"2026-03-01T24:00:00Z"`, `"0001-01-01T00:00:00Z"`,
		`"500m"`, `"1Gi"`, `500`, `0.5`, `"1e3"`, `" 1 "`, `"aGVsbG8="`, `"aGVsbG8"`, `"aGVs\nbG8="`, `"!"`, `"TCP"`, `"Pod"`, `"v1"`,
		strings.Repeat(`[`, 70) + strings.Repeat(`]`, 70), strings.Repeat(`{"up":`, 70) + `null` + strings.Repeat(`}`, 70),
	}
	names = []string{
		`"kind"`, `"Kind"`, `"\u006bind"`, `"apiVersion"`, `"metadata"`, `"Metadata"`, `"name"`, `"Name"`, `"x"`, `""`, `"a\"b"`, "\"\xff\"",
		`"labels"`, `"\u006eame"`, `"managedFields"`, `"in"`, `"In"`, `"Both"`, `"hidden"`, `"n"`, `"any"`, `"menu"`, `"title"`,
	}
	spaces = []string{" ", "\n\t", "\r\n  ", "\f", "\v"}
	ends   = []string{"\n", " ", "x", "{}", "\x00", ",", "}", "\u00a0"}
	signs  = " \"{}[],:\\0-.eEn\xff"
)

// mutate returns a text with up to three changes.
func mutate(random *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for n := 1 + random.Intn(3); n > 0 && len(text) > 0; n-- {
		text = change(random, text)
	}
	return text
}

func change(random *rand.Rand, text []byte) []byte {
	replace := func(from, to int, with string) []byte {
		return append(append(append([]byte{}, text[:from]...), with...), text[to:]...)
	}
	all := spans(text)
	pick := func(name bool) span {
		for range 100 {
			if s := all[random.Intn(len(all))]; s.name == name {
				return s
			}
		}
		return span{0, 0, true}
	}
	what := random.Intn(13)
	if all == nil {
		what = random.Intn(3)
	}
	i := random.Intn(len(text))
	switch what {
	case 0: // another byte
		text[i] = byte(random.Intn(256))
		return text
	case 1: // a byte less
		return replace(i, i+1, "")
	case 2: // a byte more
		return replace(i, i, signs[random.Intn(len(signs)):][:1])
	case 3: // cut
		return text[:i]
	case 4: // text behind it
		return append(text, ends[random.Intn(len(ends))]...)
	case 5, 6, 7: // another value
		s := pick(false)
		return replace(s.from, s.to, values[random.Intn(len(values))])
	case 8: // another name
		s := pick(true)
		return replace(s.from, s.to, names[random.Intn(len(names))])
	case 9: // a value in the place of another
		s, from := pick(false), pick(false)
		return replace(s.from, s.to, string(text[from.from:from.to]))
	case 10: // a member again, before it
		s := pick(true)
		value := jsonscan.Space(text, s.to)
		if value >= len(text) || text[value] != ':' {
			return text
		}
		return replace(s.from, s.from, string(text[s.from:jsonscan.Value(text, value+1)])+",")
	case 11: // white space
		s := pick(random.Intn(2) == 0)
		return replace(s.from, s.from, spaces[random.Intn(len(spaces))])
	default: // a member more
		s := pick(true)
		return replace(s.from, s.from, names[random.Intn(len(names))]+":"+values[random.Intn(len(values))]+",")
	}
}

// TestExplain lists the fields that the exact decoder decodes, and why.
func TestExplain(t *testing.T) {
	var got strings.Builder
	for _, s := range table.Explain(reflect.TypeFor[Odd]()) {
		fmt.Fprintf(&got, "%s: %s\n", s.Path, s.Why)
	}
	want := `.std: has a method UnmarshalJSON
.inner.Embedded: embedded pointers
.quoted.n: the option string
.quoted.b: the option string
.shadow.in: two fields of this name
.ambiguous.Both: two fields of this name
.itself: has a method UnmarshalJSON
.selves[]: has a method UnmarshalJSON
.lower.embedded: embedded types that are not exported
.group: has a method UnmarshalJSON
.mapInt: maps by other keys than strings
.array: arrays
.ip: has a method UnmarshalText
.ips: has a method UnmarshalText
.num: json.Number
.pp: pointers to pointers
.nt: named pointers to types with methods
.unnamed: unnamed types whose pointers have methods
.chain: types that contain themselves other than by structs
`
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
}
