//go:build programs

package appliers_test

import (
	"regexp"
	"strings"
)

// forms are texts that depend on the run, and what replaces them.
var forms = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "<uid>"},
	{regexp.MustCompile(`\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?[-+]\d{4})?( UTC|Z)?`), "<time>"},
	{regexp.MustCompile(`\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}`), "<time>"},
	{regexp.MustCompile(`modifiedAt: "\d+"`), `modifiedAt: "<time>"`},
	{regexp.MustCompile(`\b10\.0\.\d+\.\d+\b`), "<ip>"},
	{regexp.MustCompile(`/dev/shm/\d+`), "<file>"},
	{regexp.MustCompile(`(?m)(\s)(?:\d+m)?\d+s$`), "$1<age>"},
	{regexp.MustCompile(`(?m)^Warning: v1 Endpoints .*\n`), ""}, // of the lists and watches of Argo CD's cache
	{regexp.MustCompile(`(?m)^[EI]\d{4} .*\n`), ""},             // what client-go logs if a deadline ends a request
	{regexp.MustCompile(`(termination timeout: ).*(context deadline exceeded)`), "$1$2"},
	{regexp.MustCompile(`(\S)(?:[ \t]*\t[ \t]*| {2,})`), "$1  "},
	{regexp.MustCompile(`(?m)[ \t]+$`), ""},
}

// normal replaces what depends on the run.
func (s *session) normal(text string) string {
	text = strings.NewReplacer(
		s.dir+"/", "", s.dir, ".", s.namespace, "${ns}", s.host, "<server>", strings.TrimPrefix(s.host, "https://"), "<server>",
	).Replace(text)
	for _, form := range forms {
		text = form.pattern.ReplaceAllString(text, form.with)
	}
	return text
}
