package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Case is a script.
type Case struct {
	Clause, Name string
	Title        string
	File         string
	Steps        []*Step

	tail []string // lines after the last step
}

// Step is a step of a case. The relevant fields depend on Op.
type Step struct {
	Op   Op
	Line int // in the file, from 1

	Request Template   // Do, Watch
	Times   int        // Do: number of repetitions; 0 for once, without a count
	AtOnce  bool       // Do: all concurrently
	Watch   string     // Watch, Events, Stop: its name
	Count   int        // Events: how many
	Until   string     // Events: bookmark, error or end
	Name    string     // Let: the variable; CRD: the file; Server: compact or restart; Hide, Show: the field; Plugin: its name
	Path    string     // Let: a JSONPath template
	Answer  Answer     // as recorded; nil if nothing is
	Differs []Recorded // the answers of other targets

	source []string // the lines up to the answer
}

// Op is a kind of step.
type Op int

// The steps; the package's doc describes them.
const (
	Do Op = iota
	Watch
	Events
	Stop
	Let
	CRD
	Server
	Hide
	Show
	Plugin
)

// Template is a request with variables.
type Template struct {
	Method string
	URL    string
	Header []Field
	Body   []string // lines without their indentation
}

// Field is a header line.
type Field struct{ Name, Value string }

// Answer is a target's answer to a step, in normal form: lines.
type Answer []string

// Recorded is the answer of a target that differs from the real server's.
type Recorded struct {
	Target, Reason string
	Line           int
	Answer         Answer
}

const indent = "    "

var (
	requestLine = regexp.MustCompile(`^(?:(repeat|race) (\d+) )?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\S.*)$`)
	watchLine   = regexp.MustCompile(`^watch (\w+) (/\S.*)$`)
	eventsLine  = regexp.MustCompile(`^events (\w+) (?:(\d+)|until (bookmark|error|end))$`)
	stopLine    = regexp.MustCompile(`^stop (\w+)$`)
	letLine     = regexp.MustCompile(`^let (\w+) (\{.*\})$`)
	wordLine    = regexp.MustCompile(`^(crd|server|hide|show|plugin) (\S+)$`)
	differsLine = regexp.MustCompile(`^differs (\w+): (\S.*)$`)
	headerLine  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*):(?: +(.*))?$`)
)

// Load reads the cases below a directory, ordered by clause and name.
func Load(dir string) ([]*Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.case"))
	if err != nil {
		return nil, err
	}
	var cases []*Case
	var failures []error
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		c, err := Parse(file, string(text))
		if err != nil {
			failures = append(failures, err)
			continue
		}
		cases = append(cases, c)
	}
	return cases, errors.Join(failures...)
}

// Parse parses a script. The file names the case; errors contain the position.
func Parse(file, text string) (*Case, error) {
	c := &Case{
		Clause: filepath.Base(filepath.Dir(file)),
		Name:   strings.TrimSuffix(filepath.Base(file), ".case"),
		File:   file,
	}
	p := parser{c: c}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if err := p.line(i+1, strings.TrimRight(line, " \t\r")); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	c.tail = p.pending
	if c.Title == "" {
		return nil, fmt.Errorf("%s:1: no title: the first line must be a comment that describes the case", file)
	}
	return c, nil
}

// parser determines to which part of a script the next line belongs.
type parser struct {
	c       *Case
	pending []string // lines that belong to the next step
	step    *Step    // the last one
	answer  *Answer  // the answer to which indented lines belong, if any
	open    bool     // the step can still get headers or a body
}

func (p *parser) line(number int, line string) error {
	switch {
	case line == "":
		// Blank lines do not end an indented text.
		p.pending = append(p.pending, line)
		return nil
	case strings.HasPrefix(line, indent):
		return p.body(strings.TrimPrefix(line, indent))
	case strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
		return errors.New("a body is indented by four spaces")
	case strings.HasPrefix(line, "#"):
		if p.c.Title == "" && p.step == nil {
			p.c.Title = strings.TrimSpace(strings.TrimPrefix(line, "#"))
		}
		p.pending, p.open, p.answer = append(p.pending, line), false, nil
		return nil
	case strings.HasPrefix(line, "<"):
		return p.answerLine(line)
	}
	if m := differsLine.FindStringSubmatch(line); m != nil {
		return p.differs(number, m[1], m[2])
	}
	if p.open && p.step.takesHeader() {
		if m := headerLine.FindStringSubmatch(line); m != nil {
			p.step.Request.Header = append(p.step.Request.Header, Field{m[1], m[2]})
			p.flush(line)
			return nil
		}
	}
	step, err := parseStep(line)
	if err != nil {
		return err
	}
	step.Line = number
	step.source = append(p.pending, line)
	p.pending, p.step, p.open, p.answer = nil, step, true, nil
	p.c.Steps = append(p.c.Steps, step)
	return nil
}

// flush moves the pending lines, and one more, to the current step.
func (p *parser) flush(line string) {
	p.step.source = append(append(p.step.source, p.pending...), line)
	p.pending = nil
}

func (p *parser) body(line string) error {
	blank := len(p.pending)
	switch {
	case p.answer != nil:
		for range blank {
			*p.answer = append(*p.answer, "")
		}
		p.pending = nil
		*p.answer = append(*p.answer, indent+line)
	case p.open && (p.step.Op == Do):
		for range blank {
			p.step.Request.Body = append(p.step.Request.Body, "")
		}
		p.step.Request.Body = append(p.step.Request.Body, line)
		p.flush(indent + line)
	default:
		return errors.New("text outside a request or a response")
	}
	return nil
}

func (p *parser) answerLine(line string) error {
	switch {
	case p.answer == nil && p.open && p.step.answers():
		p.answer = &p.step.Answer
	case p.answer == nil:
		return errors.New("answer without a request")
	}
	p.pending, p.open = nil, false
	*p.answer = append(*p.answer, line)
	return nil
}

func (p *parser) differs(number int, target, reason string) error {
	if p.step == nil || !p.step.answers() {
		return errors.New("difference without an answer above it")
	}
	p.step.Differs = append(p.step.Differs, Recorded{Target: target, Reason: reason, Line: number})
	p.pending, p.open = nil, false
	p.answer = &p.step.Differs[len(p.step.Differs)-1].Answer
	return nil
}

// takesHeader reports whether a step sends a request.
func (s *Step) takesHeader() bool { return s.Op == Do || s.Op == Watch }

// answers reports whether a step has an answer.
func (s *Step) answers() bool { return s.Op == Do || s.Op == Watch || s.Op == Events }

func parseStep(line string) (*Step, error) {
	if m := requestLine.FindStringSubmatch(line); m != nil {
		s := &Step{Op: Do, Request: Template{Method: m[3], URL: m[4]}, AtOnce: m[1] == "race"}
		if m[2] != "" {
			var err error
			if s.Times, err = strconv.Atoi(m[2]); err != nil || s.Times == 0 {
				return nil, fmt.Errorf("cannot repeat %s times", m[2])
			}
		}
		return s, nil
	}
	if m := watchLine.FindStringSubmatch(line); m != nil {
		return &Step{Op: Watch, Watch: m[1], Request: Template{Method: "GET", URL: m[2]}}, nil
	}
	if m := eventsLine.FindStringSubmatch(line); m != nil {
		s := &Step{Op: Events, Watch: m[1], Until: m[3]}
		if m[2] != "" {
			var err error
			if s.Count, err = strconv.Atoi(m[2]); err != nil || s.Count == 0 {
				return nil, fmt.Errorf("cannot wait for %s events", m[2])
			}
		}
		return s, nil
	}
	if m := stopLine.FindStringSubmatch(line); m != nil {
		return &Step{Op: Stop, Watch: m[1]}, nil
	}
	if m := letLine.FindStringSubmatch(line); m != nil {
		return &Step{Op: Let, Name: m[1], Path: m[2]}, nil
	}
	m := wordLine.FindStringSubmatch(line)
	if m == nil {
		return nil, fmt.Errorf("not a step: %s", line)
	}
	s := &Step{Name: m[2]}
	switch m[1] {
	case "crd":
		s.Op = CRD
	case "hide":
		s.Op = Hide
	case "show":
		s.Op = Show
		if s.Name != "managedFields" {
			return nil, fmt.Errorf("cannot show %s", s.Name)
		}
	case "plugin":
		s.Op = Plugin
		if s.Name != ServiceAccount {
			return nil, fmt.Errorf("no plugin %s can be enabled", s.Name)
		}
	case "server":
		s.Op = Server
		if s.Name != "compact" && s.Name != "restart" {
			return nil, fmt.Errorf("a server cannot %s", s.Name)
		}
	}
	return s, nil
}

// Format returns the script with its current answers.
func (c *Case) Format() string {
	var lines []string
	for _, s := range c.Steps {
		lines = append(append(lines, s.source...), s.Answer...)
		for _, d := range s.Differs {
			lines = append(lines, fmt.Sprintf("differs %s: %s", d.Target, d.Reason))
			lines = append(lines, d.Answer...)
		}
	}
	return strings.Join(append(lines, c.tail...), "\n") + "\n"
}

// Source returns the hand-written part of the script: everything except the answers.
func (c *Case) Source() string {
	var lines []string
	for _, s := range c.Steps {
		lines = append(lines, s.source...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// ID is the case's unique name.
func (c *Case) ID() string { return c.Clause + "/" + c.Name }

// Draft reports whether no answer is recorded.
func (c *Case) Draft() bool {
	return !slices.ContainsFunc(c.Steps, func(s *Step) bool { return s.Answer != nil })
}

// Alone reports whether the case affects its server in a way that other cases notice.
func (c *Case) Alone() bool {
	return slices.ContainsFunc(c.Steps, func(s *Step) bool { return s.Op == Server })
}

// Plugin returns the name of the admission plugin that the case enables on its server; "" is none.
func (c *Case) Plugin() string {
	for _, s := range c.Steps {
		if s.Op == Plugin {
			return s.Name
		}
	}
	return ""
}

// ByPlugin returns the cases by the plugin that they enable.
func ByPlugin(cases []*Case) map[string][]*Case {
	all := map[string][]*Case{}
	for _, c := range cases {
		all[c.Plugin()] = append(all[c.Plugin()], c)
	}
	return all
}

// Pending lists the steps whose answer is not recorded.
func (c *Case) Pending() []*Step {
	var pending []*Step
	for _, s := range c.Steps {
		if s.answers() && s.Answer == nil {
			pending = append(pending, s)
		}
	}
	return pending
}

// Wanted returns a target's expected answer to a step: its own answer if a difference is known,
// with its position, and otherwise the real server's.
func (s *Step) Wanted(target string) (answer Answer, line int, differs bool) {
	for _, d := range s.Differs {
		if d.Target == target {
			return d.Answer, d.Line, true
		}
	}
	return s.Answer, s.Line, false
}

// Record sets a target's answer to a step. The real server's answer is below the request, those of
// others are where the script lists a difference, if it does.
func (s *Step) Record(target string, answer Answer) {
	if target == Real {
		s.Answer = answer
		return
	}
	for i := range s.Differs {
		if s.Differs[i].Target == target {
			s.Differs[i].Answer = answer
		}
	}
}
