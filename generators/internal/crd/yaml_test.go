package crd

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// library returns a value as the library writes it; ok is false if it cannot.
func library(value any) (text string, ok bool) {
	b, err := yaml.Marshal(value)
	return string(b), err == nil
}

// plain returns a value with maps in place of objects.
func plain(value any) any {
	switch v := value.(type) {
	case object:
		o := map[string]any{}
		for _, m := range v {
			o[m.name] = plain(m.value)
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = plain(e)
		}
		return list
	}
	return value
}

// unusual reports whether a text has characters that this package escapes where the library does not, or
// cannot be a key before its value in the library.
func unusual(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsAny(text, "\r\u0085\u2028\u2029\ufeff")
}

var long = strings.Repeat("word ", 40)

var scalarCases = []string{
	"", "a", "a b", " a", "a ", "true", "True", "TRUE", "tRUE", "yes", "Y", "n", "No", "on", "off", "null", "~", "NULL", "nULL",
	"1", "-1", "+1", "1.5", ".5", "1e3", "1.", "0x1f", "0o17", "017", "08", "0b11", "-0b11", "1_000", "_1", "+", "-", ".", "..", "...", "---", "--- a", "-a", "- a",
	"12:30", "12:30:45", "1:60", "2024-01-15", "2024-1-5", "2024-01-15T10:00:00Z", "2024-13-01", "20240115", "1e400", "18446744073709551615", "18446744073709551616",
	".nan", ".NaN", ".inf", "-.inf", "+.Inf", "-.nan", "<<", "=", "a: b", "a:b", "a:", ":", ": a", ":a", "a #b", "a#b", "#a", "?", "? a", "?a", "a?",
	"[a]", "{a}", "a, b", "a]", "&a", "*a", "!a", "|a", ">a", "'a'", `"a"`, "it's", "a'", "%a", "@a", "`a`", "a`", `a\b`, `a"b`,
	"a\nb", "a\nb\n", "a\n\nb\n\n", "\na", "\n", "\n\n", " a\nb", "a \nb", "a\n b", "a\nb ", "a\n\tb", "a\tb", "\ta", "a\t", "a\n# b", "a:\nb",
	"ä", "日本語", "a\u00a0b", "\U0001f600", "\x00", "\x1b", "\x7f", "a\x07", "\u200b", "\ufffd", "\ufffe", "a\r\nb", "a\u2028b", "a\u0085b", "\ufeffa",
	long, long + "x", "x" + long, " " + long, long + "\nb", "it's " + long + "x", "a: " + long + "x", "true\t" + long + "x",
	strings.Repeat("a", 90) + " b c", strings.Repeat("a", 78) + "  b  c d", strings.Repeat("ä", 78) + " b c d e f",
	"\x01 " + strings.Repeat("a", 80) + "  b " + long + "x", strings.Repeat("a ", 60) + " b: c", strings.Repeat("0123456789 ", 9),
	"1 " + long + "x", "http://a.b/c?d=e&f#g", "^[a-z]([-a-z0-9]*[a-z0-9])?$", "self.a == oldSelf.a || self.b > 0", "!has(self.a)", "1h30m", "100Mi", "0.5", "00",
}

// trees returns values with a text in all places.
func trees(text string) []object {
	list := []object{
		{{"a", text}},
		{{"a", object{{"b", object{{"c", text}}}}}, {"d", []any{text, "x", []any{text, []any{}}, object{{"e", text}, {"f", text}}, object{}}}},
	}
	if len(text) < 128 && !strings.Contains(text, "\n") && text != "<<" { // which merges objects
		list = append(list, object{{"key", object{{text + "k", int64(1)}}}}, object{{"key", object{{text, object{{text, true}}}}}})
	}
	return list
}

// compare compares what an object is written as with the library, and reads it again.
func compare(t *testing.T, o object, text string) {
	t.Helper()
	got := string(marshal(nil, o))
	want, ok := library(plain(o))
	if ok && got != want && !unusual(text) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	var read any
	if err := yaml.Unmarshal([]byte(got), &read); err != nil {
		t.Fatalf("%v in:\n%s", err, got)
	}
	b, _ := json.Marshal(plain(o))
	var wantRead any
	if err := json.Unmarshal(b, &wantRead); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(wantRead, read); d != "" {
		t.Errorf("%s in:\n%s", d, got)
	}
}

func TestScalars(t *testing.T) {
	for _, text := range scalarCases {
		for _, tree := range trees(text) {
			compare(t, tree, text)
		}
	}
}

// FuzzScalar compares texts in all places with the library.
func FuzzScalar(f *testing.F) {
	for _, text := range scalarCases {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // JSON has no such texts
		}
		for _, tree := range trees(text) {
			compare(t, tree, text)
		}
	})
}

// consistent reports whether the order of an object's keys, and of those in it, does not depend on that
// of the input, as that of a9, a10 and a1b does.
func consistent(value any) bool {
	switch v := value.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !consistent(e) })
	case map[string]any:
		o := sorted(v)
		for i := range o {
			if !consistent(o[i].value) || slices.ContainsFunc(o[i:], func(m member) bool { return order(o[i].name, m.name) > 0 }) {
				return false
			}
		}
	}
	return true
}

// FuzzJSON compares arbitrary JSON objects with the library, with the order of their keys.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":[],"b":{},"c":null,"d":[[],[[]],{}]}`, `{"a10":1,"a9":2,"A":3,"_":4,"a-b":5,"a.b":6,"a":7,"b":8,"aa":9}`, `{"a01":1,"a1":2,"a001":3,"a10":4,"a100":5,"10":6,"9":7}`,
		`{"a":1.5,"b":1e20,"c":-0,"d":1e21,"e":9007199254740993,"f":1e-7,"g":18446744073709551615,"h":-9223372036854775808,"i":100000}`, `{"é":1,"e":2,"日":3}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var value map[string]any
		if json.Unmarshal([]byte(text), &value) != nil || value == nil {
			return
		}
		o := sorted(value)
		if !consistent(value) || strings.Contains(text, `\`) || unusual(text) || len(text) > 128 {
			return // of the last one, keys can be long
		}
		want, ok := library(value)
		if got := string(marshal(nil, o)); ok && got != want {
			t.Errorf("got:\n%s\nwant:\n%s", got, want)
		}
	})
}
