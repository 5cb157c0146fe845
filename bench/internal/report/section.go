package report

import (
	"fmt"
	"os"
	"strings"
)

// ReplaceSection returns the document with the text between the two markers of a section replaced by
// body. A section named x is between the lines "<!-- begin x -->" and "<!-- end x -->". It is an
// error if either is missing or repeated, or if the end comes first.
func ReplaceSection(document, name, body string) (string, error) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
	for _, marker := range []string{begin, end} {
		if n := strings.Count(document, marker); n != 1 {
			return "", fmt.Errorf("line %q: want it once, found it %d times", strings.TrimSpace(marker), n)
		}
	}
	before, rest, _ := strings.Cut(document, begin)
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("section %q ends before it begins", name)
	}
	return before + begin + "\n" + strings.TrimSpace(body) + "\n\n" + end + after, nil
}

// FillSection is [ReplaceSection] for a document in a file. It returns the document and does not
// modify the file.
func FillSection(file, name, body string) (string, error) {
	old, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	changed, err := ReplaceSection(string(old), name, body)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return changed, nil
}
