package crd

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

func isLetter(c rune) bool { return unicode.IsLetter(c) }

func isDigit(c rune) bool { return unicode.IsDigit(c) }

// traits are what decides how a text can be written.
type traits struct {
	lines bool // it has more than one line
	// plain, single and block are whether it can be written without quotes, in single quotes, and as
	// a block of lines.
	plain, single, block bool
}

// analyze returns the traits of a text that is not empty.
func analyze(text string) traits {
	t := traits{plain: true, single: true, block: true}
	if strings.HasPrefix(text, "---") || strings.HasPrefix(text, "...") || strings.ContainsRune(",[]{}&*!|>'\"%@`#", rune(text[0])) {
		t.plain = false
	}
	if text[0] == ' ' || text[0] == '\n' || text[len(text)-1] == ' ' || text[len(text)-1] == '\n' {
		t.plain = false
	}
	if text[len(text)-1] == ' ' {
		t.block = false
	}
	previous := rune('\n')
	for i, c := range text {
		if !printable(c) {
			t.plain, t.single, t.block = false, false, false
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		spaced := end == len(text) || text[end] == ' ' || text[end] == '\t'
		switch {
		case c == ':' && spaced, i == 0 && (c == '?' || c == '-') && spaced, c == '#' && i > 0 && strings.ContainsRune(" \n\t", previous):
			t.plain = false
		case c == '\n':
			t.lines, t.plain = true, false
			if previous == ' ' && i > 0 {
				t.single, t.block = false, false
			}
		case c == ' ' && previous == '\n' && i > 0:
			t.single, t.plain = false, false
		}
		previous = c
	}
	return t
}

// printable reports whether a character needs no escape.
func printable(c rune) bool {
	return c == '\n' || c >= 0x20 && c <= 0x7e || c >= 0xa0 && c <= 0xfffd && c != 0xfeff && c != 0x2028 && c != 0x2029
}

// scalar writes a text; indent is that of its further lines. Fold allows line breaks.
func (w *writer) scalar(text string, indent int, fold bool) {
	text = strings.ToValidUTF8(text, "\ufffd")
	if text == "" {
		w.buf = append(w.buf, `""`...)
		return
	}
	t := analyze(text)
	switch {
	case strings.Contains(text, "\n") && t.block && fold:
		w.literal(text, indent)
	case strings.Contains(text, "\n") || ambiguous(text):
		w.double(text, indent, fold)
	case t.plain:
		w.folded(text, indent, fold, false)
	case t.single:
		w.buf = append(w.buf, '\'')
		w.folded(text, indent, fold, true)
		w.buf = append(w.buf, '\'')
	default:
		w.double(text, indent, fold)
	}
}

// folded writes a text without line breaks, in which single quotes are doubled if it is quoted.
func (w *writer) folded(text string, indent int, fold, quoted bool) {
	spaces := false
	for i := range len(text) {
		c := text[i]
		switch {
		case c != ' ':
			if c == '\'' && quoted {
				w.buf = append(w.buf, c)
			}
			w.buf = append(w.buf, c)
		case fold && !spaces && w.column() > maxColumn && i > 0 && i < len(text)-1 && text[i+1] != ' ':
			w.newline(indent)
		default:
			w.buf = append(w.buf, c)
		}
		spaces = c == ' '
	}
}

// literal writes a text as a block of lines.
func (w *writer) literal(text string, indent int) {
	w.buf = append(w.buf, '|')
	if text[0] == ' ' || text[0] == '\n' {
		w.buf = append(w.buf, '2') // the indent, which readers could not tell otherwise
	}
	switch {
	case !strings.HasSuffix(text, "\n"):
		w.buf = append(w.buf, '-')
	case text == "\n" || strings.HasSuffix(text, "\n\n"):
		w.buf = append(w.buf, '+')
	}
	w.end()
	for line := range strings.Lines(text) {
		if line != "\n" {
			w.newline(indent)
		}
		w.buf = append(w.buf, line...)
		if strings.HasSuffix(line, "\n") {
			w.start = len(w.buf)
		}
	}
}

// escapes are the characters with escapes of their own.
var escapes = map[rune]string{
	0: `\0`, 7: `\a`, 8: `\b`, '\t': `\t`, '\n': `\n`, '\v': `\v`, '\f': `\f`, '\r': `\r`, 0x1b: `\e`, '"': `\"`, '\\': `\\`, 0x85: `\N`, 0xa0: `\_`,
	0x2028: `\L`, 0x2029: `\P`,
}

// double writes a text in double quotes.
func (w *writer) double(text string, indent int, fold bool) {
	w.buf = append(w.buf, '"')
	spaces := false
	for i, c := range text {
		switch {
		case c == '\n' || c == '"' || c == '\\' || !printable(c):
			w.buf = append(w.buf, escape(c)...)
		case c == ' ' && fold && !spaces && i > 0 && i < len(text)-1 && w.column() > maxColumn:
			w.newline(indent)
			if text[i+1] == ' ' {
				w.buf = append(w.buf, '\\')
			}
		default:
			w.buf = utf8.AppendRune(w.buf, c)
		}
		spaces = c == ' '
	}
	w.buf = append(w.buf, '"')
}

func escape(c rune) string {
	if e := escapes[c]; e != "" {
		return e
	}
	hex := strings.ToUpper(strconv.FormatInt(int64(c), 16))
	for _, form := range []struct {
		letter string
		digits int
	}{{`\x`, 2}, {`\u`, 4}, {`\U`, 8}} {
		if len(hex) <= form.digits {
			return form.letter + strings.Repeat("0", form.digits-len(hex)) + hex
		}
	}
	return hex
}

// words are the texts that mean something else without quotes.
var words = func() map[string]bool {
	all := map[string]bool{"~": true}
	for _, word := range []string{"y", "yes", "on", "true", "n", "no", "off", "false", "null"} {
		all[word], all[strings.ToUpper(word)], all[strings.ToUpper(word[:1])+word[1:]] = true, true, true
	}
	for _, word := range []string{".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF"} {
		all[word] = true
		if !strings.EqualFold(word, ".nan") {
			all["+"+word], all["-"+word] = true, true
		}
	}
	return all
}()

var (
	floatText  = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	base60Text = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
	dates      = []string{"2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2"}
)

// ambiguous reports whether a text without quotes would be something other than a text.
func ambiguous(text string) bool {
	first := text[0]
	switch {
	case first == '.':
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return true
		}
		return words[text]
	case first != '+' && first != '-' && (first < '0' || first > '9'):
		return words[text]
	case words[text] || base60Text.MatchString(text) || isDate(text):
		return true
	}
	plain := strings.ReplaceAll(text, "_", "")
	if _, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return true
	}
	if _, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return true
	}
	if floatText.MatchString(plain) {
		if _, err := strconv.ParseFloat(plain, 64); err == nil {
			return true
		}
	}
	for _, prefix := range []string{"0b", "-0b"} {
		if rest, ok := strings.CutPrefix(plain, prefix); ok {
			if _, err := strconv.ParseInt(strings.TrimSuffix(prefix, "0b")+rest, 2, 64); err == nil {
				return true
			}
			if _, err := strconv.ParseUint(rest, 2, 64); err == nil && prefix == "0b" {
				return true
			}
		}
	}
	return false
}

// isDate reports whether a text is a date or a time.
func isDate(text string) bool {
	if len(text) < 5 || text[4] != '-' || strings.Trim(text[:4], "0123456789") != "" {
		return false
	}
	for _, layout := range dates {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}
