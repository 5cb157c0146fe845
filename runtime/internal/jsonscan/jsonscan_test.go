package jsonscan_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// texts are texts of all kinds, valid or not.
var texts = []string{
	``, ` `, `null`, `nul`, `nulls`, `true`, `false`, `tru`, `falsey`, `0`, `-0`, `-`, `00`, `01`, `1.`, `.5`, `1.5`, `1e`, `1e5`, `1E+5`, `1e-05`, `1e400`, `-1.25e-3`,
	`123456789012345678`, `1234567890123456789`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775808`, `0.1`, `0.30000000000000004`,
	`123456789012345`, `1234567890123456`, `12345678901234.5`, `0.123456789012345`, `NaN`, `Infinity`, `'x'`,
	`""`, `"a"`, `"1234567"`, `"12345678"`, `"123456789"`, `"1234567890123456"`, `"é"`, `"1234567é"`, `"12345678é"`, `"😀"`, `"a\"b"`, `"\\"`, `"\/\b\f\n\r\t"`, `"\u0041"`,
	`"\u00e9"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ude00\ud83d"`, `"\u00zz"`, `"\u12"`, `"\x"`, `"\`, `"`, `"abc`, "\"a\x01b\"", "\"a\nb\"", "\"\x7f\"", "\"\xff\"",
	"\"\xc3\"", "\"\xed\xa0\x80\"", "\"1234567\xff\"", "\"\\u0041\xff\"",
	`{}`, `{ }`, `{"a":1}`, ` { "a" : [ 1 , 2 ] , "b" : { } } `, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{a:1}`, `{"a":1 "b":2}`, `{"a" 1}`, `{1:2}`, `{"\u0061":{"b":[{"c":null}]}}`,
	`[]`, `[ ]`, `[1,2,3]`, `[1,]`, `[,1]`, `[1 2]`, `[1`, `[1}`, `{"a":1]`, `[[[[]]]]`, `[[[]]`, `{"a":{"b":{"c":{}}}}`, `1 2`, `{} {}`, `[]x`, "[]\n\t\r ", "[]\v", "\ufeff[]",
	`{"kind":"Widget","apiVersion":"g/v1","metadata":{"name":"a","labels":{"x/y":"z","~":"t"}},"items":[{},{"a":[1,[2,3]]}]}`,
}

func TestValue(t *testing.T) {
	for _, text := range texts {
		checkValue(t, []byte(text))
	}
}

func FuzzValue(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkValue(t, text)
		checkString(t, text)
		checkFrame(t, text)
		for at := range text {
			_ = jsonscan.Pointer(text, at)
		}
	})
}

// checkValue compares with encoding/json.
func checkValue(t *testing.T, text []byte) {
	t.Helper()
	if got, want := jsonscan.Valid(text), json.Valid(text); got != want && depth(text) <= jsonscan.Depth {
		t.Errorf("%q is valid: %v, want %v", text, got, want)
	}
	dec := json.NewDecoder(strings.NewReader(string(text)))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err == nil && depth(text) <= jsonscan.Depth && jsonscan.Valid(text) {
		if end := jsonscan.Value(text, 0); end != int(dec.InputOffset()) {
			t.Errorf("%q ends at %d, want %d", text, end, dec.InputOffset())
		}
	}
}

func depth(text []byte) int {
	return strings.Count(string(text), "[") + strings.Count(string(text), "{")
}

func TestValueDepth(t *testing.T) {
	for n, want := range map[int]bool{1: true, jsonscan.Depth: true, jsonscan.Depth + 1: true, jsonscan.Depth + 2: false} {
		// The innermost is empty, and takes no level.
		if got := jsonscan.Valid([]byte(strings.Repeat("[", n) + strings.Repeat("]", n))); got != want {
			t.Errorf("%d levels: %v", n, got)
		}
		if got := jsonscan.Valid([]byte(strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1))); got != want {
			t.Errorf("%d levels of objects: %v", n, got)
		}
	}
}

func TestString(t *testing.T) {
	for _, text := range texts {
		checkString(t, []byte(text))
	}
	random := rand.New(rand.NewSource(1))
	const letters = "abcdefgh\"\\\\u00e9d8 é\xff\x01n/"
	for range 5000 {
		b := make([]byte, random.Intn(24))
		for i := range b {
			b[i] = letters[random.Intn(len(letters))]
		}
		checkString(t, []byte(`"`+string(b)+`"`))
	}
}

// checkString compares strings with encoding/json.
func checkString(t *testing.T, text []byte) {
	t.Helper()
	if len(text) == 0 || text[0] != '"' {
		return
	}
	var want string
	err := json.Unmarshal(text, &want)
	s := jsonscan.Scanner{Text: text}
	got, hash, next := s.String(0)
	// Behind the string, only white space may follow.
	if whole := next >= 0 && jsonscan.Space(text, next) == len(text); whole != (err == nil) || whole && string(got) != want {
		t.Errorf("%q is %q, %d, want %q, %v", text, got, next, want, err)
	}
	if next >= 0 && hash != jsonscan.Hash(got) {
		t.Errorf("hash of %q is %x, want %x", text, hash, jsonscan.Hash(got))
	}
}

func TestNumbers(t *testing.T) {
	for _, text := range texts {
		var f float64
		err := json.Unmarshal([]byte(text), &f)
		if text == "null" || text == " " || text == "" {
			continue
		}
		got, next := jsonscan.Float([]byte(text), 0, 64)
		if ok := next == len(text); ok != (err == nil) || ok && (got != f || math.Signbit(got) != math.Signbit(f)) {
			t.Errorf("%s is %v, %d, want %v, %v", text, got, next, f, err)
		}
		var n int64
		err = json.Unmarshal([]byte(text), &n)
		if got, next := jsonscan.Integer([]byte(text), 0); next == len(text) && (err != nil || got != n) {
			t.Errorf("%s is %v, want %v, %v", text, got, n, err)
		}
		var small float32
		err = json.Unmarshal([]byte(text), &small)
		if got, next := jsonscan.Float([]byte(text), 0, 32); (next == len(text)) != (err == nil) || err == nil && float32(got) != small {
			t.Errorf("%s as a float32 is %v, want %v, %v", text, got, small, err)
		}
	}
	for _, text := range []string{"7", "-7", "0", "123456789012345678", "-123456789012345678", "9223372036854775807", "-9223372036854775807"} {
		if _, next := jsonscan.Integer([]byte(text), 0); next != len(text) {
			t.Errorf("%s is refused", text)
		}
	}
	for _, text := range []string{"-0", "9223372036854775808", "-9223372036854775808", "9999999999999999999", "12345678901234567890", "18446744073709551617", "1.0", "1e3", "01", "-", ""} {
		if _, next := jsonscan.Integer([]byte(text), 0); next >= 0 {
			t.Errorf("%s is accepted", text)
		}
	}
}

// TestMembers reads a tree by Members and Elements.
func TestMembers(t *testing.T) {
	for _, text := range texts {
		var want any
		err := json.Unmarshal([]byte(text), &want)
		got, ok := tree([]byte(text))
		if ok != (err == nil) || ok && !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, %v, want %v, %v", text, got, ok, want, err)
		}
	}
}

func tree(text []byte) (any, bool) {
	s := jsonscan.Scanner{Text: text}
	var read func(i int) (any, int)
	read = func(i int) (any, int) {
		if i >= len(text) {
			return nil, jsonscan.Bad
		}
		switch text[i] {
		case '{':
			m := map[string]any{}
			end := s.Members(i, func(name []byte, _ uint64, i int) int {
				key := string(name)
				v, next := read(i)
				m[key] = v
				return next
			})
			return m, end
		case '[':
			list := []any{}
			end := s.Elements(i, func(i int) int {
				v, next := read(i)
				list = append(list, v)
				return next
			})
			return list, end
		case '"':
			b, _, next := s.String(i)
			return string(b), next
		case 't', 'f':
			return jsonscan.Bool(text, i)
		case 'n':
			return nil, jsonscan.Null(text, i)
		default:
			return jsonscan.Float(text, i, 64)
		}
	}
	v, next := read(jsonscan.Space(text, 0))
	return v, next >= 0 && jsonscan.Space(text, next) == len(text)
}

func TestFrame(t *testing.T) {
	for _, text := range texts {
		checkFrame(t, []byte(text))
	}
}

// checkFrame finds the ends of valid values, whatever parts they arrive in, and checks that others do no harm.
func checkFrame(t *testing.T, text []byte) {
	t.Helper()
	want := jsonscan.Value(text, 0)
	if want < 0 {
		var f jsonscan.Frame
		f.End(text, 0)
		return
	}
	// What follows ends numbers, too.
	text = append(text[:want:want], " \"]"...)
	for chunk := 1; chunk <= len(text); chunk = chunk*3/2 + 1 {
		var f jsonscan.Frame
		got := jsonscan.Bad
		for from := 0; got < 0 && from < len(text); from += chunk {
			got = f.End(text[:min(from+chunk, len(text))], from)
		}
		if got != want {
			t.Errorf("%q ends at %d in parts of %d bytes, want %d", text, got, chunk, want)
		}
	}
}

func TestFrameDepth(t *testing.T) {
	var f jsonscan.Frame
	if f.End([]byte(`{"a":[[],[[]]]}`), 0) != 15 || f.Deepest != 4 {
		t.Errorf("depth %d", f.Deepest)
	}
}

func TestPointer(t *testing.T) {
	text := `{"a":1, "b":{"x/y":[true,{"~":"t"}]},"c":[[0],"s"]}`
	for of, want := range map[string]string{
		`{"a"`: "", `1`: "/a", `"x/y"`: "/b/x~1y", `true`: "/b/x~1y/0", `"t"`: "/b/x~1y/1/~0", `[0]`: "/c/0", `0`: "/c/0/0", `"s"`: "/c/1",
	} {
		if got := jsonscan.Pointer([]byte(text), strings.Index(text, of)); got != want {
			t.Errorf("pointer to %s is %q, want %q", of, got, want)
		}
	}
	for text, want := range map[string]string{
		`{"a":{"b":x}}`: "/a/b", `{"a":[1,2,}`: "/a/2", `{"a":1}}`: "", `[0,{"a":tru}]`: "/1/a", `{"a":{"b":1,"c":`: "/a", ``: "", `x`: "",
	} {
		var raw json.RawMessage
		var err *json.SyntaxError
		errors.As(json.Unmarshal([]byte(text), &raw), &err)
		if got := jsonscan.Pointer([]byte(text), int(err.Offset)-1); got != want {
			t.Errorf("pointer to the error of %s is %q, want %q", text, got, want)
		}
	}
}

func TestWord(t *testing.T) {
	text := []byte("0123456789abcdef")
	for i := range text {
		var want uint64
		for k := 7; k >= 0; k-- {
			want <<= 8
			if i+k < len(text) {
				want |= uint64(text[i+k])
			}
		}
		if got := jsonscan.Word(text, i); got != want {
			t.Errorf("word at %d is %x, want %x", i, got, want)
		}
	}
}
