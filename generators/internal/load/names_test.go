package load

import (
	"go/scanner"
	"go/token"
	"testing"
)

// FuzzDeclarable compares the index of the names in a text with a search for each.
func FuzzDeclarable(f *testing.F) {
	f.Add("package p\n\ntype A int\nfunc (t *T) B(a, b int) {}\nvar (\n\tC,\n\tD = 1, 2\n)\nconst/**/E=1;type F struct{}")
	f.Add("mytype A\r\ntype\tB")
	f.Add("A")
	f.Fuzz(func(t *testing.T, text string) {
		src := []byte(text)
		index := declarable(src)
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile("", -1, len(src)), src, func(token.Position, string) {}, scanner.ScanComments)
		names := []string{"A", "B"}
		for name := range index {
			names = append(names, name)
		}
		for {
			_, tok, lit := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok == token.IDENT {
				names = append(names, lit)
			}
		}
		for _, name := range names {
			for i, word := range keywords {
				want := declares(src, name, word)
				if got := index[name]&(atStart|atStart<<(i+1)) != 0; got != want {
					t.Errorf("%q after %q in %q: %v, want %v", name, word, text, got, want)
				}
			}
		}
	})
}

// TestSearches checks that the answers do not depend on how often a file is searched.
func TestSearches(t *testing.T) {
	src := "package p\n\ntype A int\n\nfunc (a A) B() {}\n\nvar C, D int\n"
	f := &file{src: []byte(src)}
	f.reading.Do(func() {})
	for range 2 * maxSearches {
		for _, name := range []string{"A", "B", "C", "D", "p", "int", ""} {
			for _, words := range [][]string{{"type"}, {")"}, {"var", ","}} {
				if got, want := f.mayDeclare(name, words...), declares(f.src, name, words...); got != want {
					t.Fatalf("%q after %v: %v, want %v", name, words, got, want)
				}
			}
		}
	}
	if f.names == nil {
		t.Error("not indexed")
	}
}
