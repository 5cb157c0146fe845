package jsonpath

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parser compiles templates.
type Parser struct {
	Name string
	// Root is the last template, nil before the first.
	Root *ListNode

	// rest is what is not parsed yet.
	rest string
}

// ErrSyntax reports that a text is not quoted.
var ErrSyntax = errors.New("invalid syntax")

var (
	// quotedKey is a key of a map in brackets.
	quotedKey = regexp.MustCompile(`^'([^']*)'$`)
	// sliceBounds are an index, or bounds and a step, in brackets.
	sliceBounds = regexp.MustCompile(`^(-?[\d]*)(:-?[\d]*)?(:-?[\d]*)?$`)
	// comparison is a filter that compares.
	comparison = regexp.MustCompile(`^([^!<>=]+)([!<>=]+)(.+?)$`)
)

// Parse compiles a template.
func Parse(name, text string) (*Parser, error) {
	p := NewParser(name)
	if err := p.Parse(text); err != nil {
		return nil, err
	}
	return p, nil
}

// NewParser returns a parser without a template.
func NewParser(name string) *Parser { return &Parser{Name: name} }

// action compiles what stands in braces, a part of another action.
func action(name, text string) (*ListNode, error) {
	p, err := Parse(name, "{"+text+"}")
	if err != nil {
		return nil, err
	}
	// There is at least the action; a brace in the text may have ended it early.
	return p.Root.Nodes[0].(*ListNode), nil
}

// Parse compiles a template.
func (p *Parser) Parse(text string) error {
	p.Root = newList()
	p.rest = text
	for p.rest != "" {
		text, _, _ := strings.Cut(p.rest, "{")
		if text != "" {
			p.Root.append(newText(text))
		}
		p.rest = p.rest[len(text):]
		if p.rest == "" {
			break
		}
		p.rest = p.rest[len("{"):]
		list := newList()
		p.Root.append(list)
		if err := p.action(list); err != nil {
			return err
		}
	}
	return nil
}

// action parses up to and including the closing brace.
func (p *Parser) action(list *ListNode) error {
	for {
		r, size := utf8.DecodeRuneInString(p.rest)
		var err error
		switch {
		case p.rest == "" || isEndOfLine(r):
			return errors.New("unclosed action")
		case r == '}':
			p.rest = p.rest[size:]
			return nil
		case strings.HasPrefix(p.rest, "[?("):
			err = p.filter(list)
		case strings.HasPrefix(p.rest, ".."):
			err = p.recursive(list)
		case r == ' ' || r == '@' || r == '$':
			p.rest = p.rest[size:]
		case r == '[':
			err = p.array(list)
		case r == '"' || r == '\'':
			err = p.quoted(list, byte(r))
		case r == '.':
			p.rest = p.rest[size:]
			p.field(list)
		case r == '+' || r == '-' || unicode.IsDigit(r):
			err = p.number(list)
		case isAlphaNumeric(r):
			p.word(list)
		default:
			err = fmt.Errorf("unrecognized character in action: %#U", r)
		}
		if err != nil {
			return err
		}
	}
}

// take returns the next n bytes and goes on after them.
func (p *Parser) take(n int) string {
	text := p.rest[:n]
	p.rest = p.rest[n:]
	return text
}

// word parses true, false or an identifier.
func (p *Parser) word(list *ListNode) {
	end := strings.IndexFunc(p.rest, isTerminator)
	if end < 0 {
		end = len(p.rest)
	}
	switch word := p.take(end); word {
	case "true", "false":
		list.append(newBool(word == "true"))
	default:
		list.append(newIdentifier(word))
	}
}

// recursive parses two dots, which a name may follow.
func (p *Parser) recursive(list *ListNode) error {
	if n := len(list.Nodes); n > 0 && list.Nodes[n-1].Type() == NodeRecursive {
		return errors.New("invalid multiple recursive descent")
	}
	p.take(len(".."))
	list.append(newRecursive())
	if r, _ := utf8.DecodeRuneInString(p.rest); isAlphaNumeric(r) {
		p.field(list)
	}
	return nil
}

// number parses an integer or a floating-point number.
func (p *Parser) number(list *ListNode) error {
	end := 0
	if p.rest[0] == '+' || p.rest[0] == '-' {
		end = 1
	}
	isPart := func(r rune) bool { return r == '.' || unicode.IsDigit(r) }
	if n := strings.IndexFunc(p.rest[end:], func(r rune) bool { return !isPart(r) }); n >= 0 {
		end += n
	} else {
		end = len(p.rest)
	}
	text := p.take(end)
	if i, err := strconv.Atoi(text); err == nil {
		list.append(newInt(i))
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("cannot parse number %s", text)
	}
	list.append(newFloat(f))
	return nil
}

// array parses brackets: an index, bounds, a key, or several of these.
func (p *Parser) array(list *ListNode) error {
	end := strings.IndexAny(p.rest, "]\n")
	if end < 0 || p.rest[end] == '\n' {
		return errors.New("unterminated array")
	}
	text := p.take(end + 1)[1:end]
	if text == "*" {
		text = ":"
	}
	if parts := strings.Split(text, ","); len(parts) > 1 {
		var union []*ListNode
		for _, part := range parts {
			one, err := action("union", "["+strings.Trim(part, " ")+"]")
			if err != nil {
				return err
			}
			union = append(union, one)
		}
		list.append(newUnion(union))
		return nil
	}
	if key := quotedKey.FindStringSubmatch(text); key != nil {
		field, err := action("arraydict", "."+key[1])
		if err != nil {
			return err
		}
		list.append(field.Nodes...)
		return nil
	}
	bounds := sliceBounds.FindStringSubmatch(text)
	if bounds == nil {
		return fmt.Errorf("invalid array index %s", text)
	}
	var params [3]ParamsEntry
	for i, bound := range bounds[1:] {
		number := strings.TrimPrefix(bound, ":")
		switch {
		case number != "":
			value, err := strconv.Atoi(number)
			if err != nil {
				return fmt.Errorf("array index %s is not a number", number)
			}
			params[i] = ParamsEntry{Value: value, Known: true}
		case i == 1 && bound == "":
			params[1] = ParamsEntry{Value: params[0].Value + 1, Known: true, Derived: true}
		}
	}
	list.append(newArray(params))
	return nil
}

// filter parses a filter in brackets.
func (p *Parser) filter(list *ListNode) error {
	p.take(len("[?("))
	end, err := filterEnd(p.rest)
	if err != nil {
		return err
	}
	text := p.take(end)
	if !strings.HasPrefix(p.rest, ")]") {
		return errors.New("unclosed array expect ]")
	}
	p.take(len(")]"))
	parts := comparison.FindStringSubmatch(text)
	if parts == nil {
		var what *ListNode
		if what, err = action("text", text); err != nil {
			return err
		}
		list.append(newFilter(what, newList(), "exists"))
		return nil
	}
	left, err := action("left", parts[1])
	if err != nil {
		return err
	}
	right, err := action("right", parts[3])
	if err != nil {
		return err
	}
	list.append(newFilter(left, right, parts[2]))
	return nil
}

// filterEnd returns the position of the parenthesis that ends a filter: the first one outside of quotes. Only the
// first quoted text may contain parentheses.
func filterEnd(text string) (int, error) {
	var quote rune // of the first quoted text, 0 before it
	closed := false
	for i, r := range text {
		switch {
		case r == '\n':
			return 0, errors.New("unterminated filter")
		case r == '"' || r == '\'':
			switch {
			case quote == 0:
				quote = r
			case r == quote && text[i-1] != '\\':
				closed = true
			}
		case r == ')' && (quote != 0) == closed:
			return i, nil
		}
	}
	return 0, errors.New("unterminated filter")
}

// quoted parses a quoted text.
func (p *Parser) quoted(list *ListNode, quote byte) error {
	for i := 1; i < len(p.rest) && p.rest[i] != '\n'; i++ {
		if p.rest[i] != quote || p.rest[i-1] == '\\' {
			continue
		}
		text := p.take(i + 1)
		unquoted, err := UnquoteExtend(text)
		if err != nil {
			return fmt.Errorf("unquote string %s error %w", text, err)
		}
		list.append(newText(unquoted))
		return nil
	}
	return errors.New("unterminated quoted string")
}

// field parses a name, or a star. A backslash makes the next character a part of the name.
func (p *Parser) field(list *ListNode) {
	escaped := false
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		default:
			return isTerminator(r)
		}
		return false
	})
	if end < 0 {
		end = len(p.rest)
	}
	switch name := p.take(end); name {
	case "*":
		list.append(newWildcard())
	default:
		list.append(newField(strings.ReplaceAll(name, `\`, "")))
	}
}

// isTerminator reports whether a character ends a name.
func isTerminator(r rune) bool { return strings.ContainsRune(" \t\r\n.,[]$@{}", r) }

// isEndOfLine reports whether a character ends a line.
func isEndOfLine(r rune) bool { return r == '\r' || r == '\n' }

// isAlphaNumeric reports whether a name may begin with a character.
func isAlphaNumeric(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// UnquoteExtend is [strconv.Unquote] for strings in double or single quotes. [ErrSyntax] reports that there are none.
func UnquoteExtend(s string) (string, error) {
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '"' && s[0] != '\'' {
		return "", ErrSyntax
	}
	quote := s[0]
	s = s[1 : len(s)-1]
	if !strings.ContainsAny(s, `\`+string(quote)) {
		return s, nil
	}
	var b []byte
	for s != "" {
		r, isMultibyte, tail, err := strconv.UnquoteChar(s, quote)
		if err != nil {
			return "", err
		}
		s = tail
		if isMultibyte {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, byte(r))
		}
	}
	return string(b), nil
}
