package cli

import (
	"errors"

	"github.com/listwatch/listwatch/generators"
)

// correct corrects the source according to what a run reported, if the flag says so.
func (f *Flags) correct(report *generators.Report, err error) ([]generators.Diagnostic, error) {
	if !f.fix {
		return nil, nil
	}
	var faults generators.Errors
	_ = errors.As(err, &faults) // nil without errors in the input
	return generators.Fix(".", append(faults, report.Warnings...))
}

// corrected returns the result with notes about what was corrected before the run.
func (r result) corrected(fixed []generators.Diagnostic) result {
	for _, d := range fixed {
		r.diagnostics = append(r.diagnostics, diagnostic{pos: d.Pos, severity: severityNote, message: "corrected: " + d.Message})
	}
	return r
}
