package random

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

var (
	uid     = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	address = regexp.MustCompile(`^10\.0\.\d+\.\d+$`)
	generic = regexp.MustCompile(`selfType\d+`) // the type of a resource in an expression
	moment  = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
)

// Answer returns what is compared of a response: the code, the warnings and the body as YAML.
func Answer(res suite.Response) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d %s\n", res.Status, http.StatusText(res.Status))
	for _, warning := range res.Header.Values("Warning") {
		if !strings.HasPrefix(warning, `299 - "apitest `) {
			fmt.Fprintln(&out, "Warning:", warning)
		}
	}
	var body map[string]any
	if err := json.Unmarshal(res.Body, &body); err != nil {
		return out.String() + string(res.Body)
	}
	if metadata, ok := body["metadata"].(map[string]any); ok {
		for _, name := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields"} {
			delete(metadata, name)
		}
	}
	text, err := yaml.Marshal(same(body, ""))
	if err != nil {
		return out.String() + err.Error()
	}
	return out.String() + string(text)
}

// same replaces values that servers choose.
func same(value any, name string) any {
	switch value := value.(type) {
	case map[string]any:
		for k := range value {
			value[k] = same(value[k], k)
		}
	case []any:
		for i := range value {
			value[i] = same(value[i], name)
		}
	case string:
		if address.MatchString(value) {
			return "<address>"
		}
		return moment.ReplaceAllStringFunc(generic.ReplaceAllString(uid.ReplaceAllString(value, "<uid>"), "selfType"), func(text string) string {
			if t, err := time.Parse(time.RFC3339, text); err == nil && time.Since(t).Abs() < time.Hour {
				return "<now>"
			}
			return text
		})
	case float64:
		if (name == "nodePort" || name == "healthCheckNodePort") && value >= 30000 && value < 33000 {
			return "<port>"
		}
	}
	return value
}

// Class is how much a difference matters.
type Class string

// The classes, the worst first.
const (
	ByCode   Class = "code"   // one server accepts what the other refuses, or refuses it for another reason
	ByObject Class = "object" // both accept it, and store different objects, or warn differently
	ByText   Class = "text"   // both refuse it with different errors
	ByOrder  Class = "order"  // both refuse it with the same errors in another order
)

// Difference returns the class of the difference between two answers, and a line that describes it, without names and
// numbers. Both are empty if the answers are equal.
func Difference(want, got string) (Class, string) {
	if want == got {
		return "", ""
	}
	first, second := missing(want, got), missing(got, want)
	switch code, other := status(want), status(got); {
	case code != other:
		return ByCode, first + " / " + second
	case code < "3":
		return ByObject, first + " / " + second
	case first == "" && second == "":
		return ByOrder, causes(want)
	}
	return ByText, first + " / " + second
}

func status(answer string) string { return answer[:strings.IndexByte(answer, '\n')] }

// missing returns the first line of an answer that the other does not have, from which names and numbers are removed.
// The message of a Status repeats its causes, so it does not count.
func missing(answer, other string) string {
	has := map[string]int{}
	for line := range strings.Lines(message.ReplaceAllString(other, "")) {
		has[line]++
	}
	for line := range strings.Lines(message.ReplaceAllString(answer, "")) {
		if has[line]--; has[line] < 0 {
			return plain(line)
		}
	}
	return ""
}

// causes returns the fields of a Status' causes.
func causes(answer string) string {
	var fields []string
	for line := range strings.Lines(answer) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "- field: "); ok {
			fields = append(fields, plain(name))
		}
	}
	return strings.Join(fields, " ")
}

var (
	quoted  = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	digits  = regexp.MustCompile(`\d+`)
	message = regexp.MustCompile(`(?m)^message: .*\n(?:  .*\n)*`)
)

func plain(line string) string {
	return digits.ReplaceAllString(quoted.ReplaceAllString(strings.TrimSpace(line), `"..."`), "0")
}
