package generators

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// header returns the comments at the top of generated files.
func (r *run) header() (string, error) {
	if r.opts.HeaderFile == "" {
		return "", nil
	}
	name := r.opts.HeaderFile
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.opts.Dir, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read header: %w", err)
	}
	r.checkHeader(name, text)
	if err := r.diags.Err(r.opts.Dir); err != nil {
		return "", err
	}
	header := strings.NewReplacer("YEAR", strconv.Itoa(time.Now().Year()), "\r\n", "\n").Replace(string(text))
	return strings.TrimSpace(header), nil
}

// checkHeader reports text in a header that is not in a Go comment.
func (r *run) checkHeader(name string, text []byte) {
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(text))
	var s scanner.Scanner
	failed := false
	s.Init(file, text, func(pos token.Position, message string) {
		if !failed {
			r.diags.Errorf(pos, "%s; the header must consist of Go comments", message)
		}
		failed = true
	}, scanner.ScanComments)
	for {
		pos, tok, _ := s.Scan()
		switch {
		case failed, tok == token.EOF:
			return
		case tok != token.COMMENT && tok != token.SEMICOLON:
			r.diags.Errorf(fset.PositionFor(pos, false), "text outside a Go comment in the header; start each line with //, or enclose it all in /* and */")
			return
		}
	}
}
