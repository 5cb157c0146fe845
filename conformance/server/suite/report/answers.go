package report

import "github.com/listwatch/listwatch/conformance/server/suite"

// Answers counts the answers of cases by how much of them is compared.
type Answers struct {
	Whole  int // in normal form, without what is different in each run
	Hidden int // the same, without fields that the case hides
	Part   int // status, headers, and the part of the body that the case shows
	Status int // status and headers
}

// All is the number of all answers.
func (a Answers) All() int { return a.Whole + a.Hidden + a.Part + a.Status }

// add counts the answers of a case.
func (a *Answers) add(c *suite.Case) {
	whole := &a.Whole
	for _, s := range c.Steps {
		switch {
		case s.Op == suite.Hide:
			whole = &a.Hidden
		case s.Answer == nil:
		case shows(s) == "":
			*whole++
		case shows(s) == "status":
			a.Status++
		default:
			a.Part++
		}
	}
}

// shows returns the part of its answer that a step shows, or "".
func shows(s *suite.Step) string {
	for _, field := range s.Request.Header {
		if field.Name == "Show" {
			return field.Value
		}
	}
	return ""
}
