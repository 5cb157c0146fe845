package linking_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"
	"text/template"
	"time"
)

// costsFile has the costs in docs/linking.md.
const costsFile = "testdata/costs.json"

// many is the number of servers of which the memory is measured besides that of one.
const many = 100

// costs are what servers cost a test, and where this was measured.
type costs struct {
	Go         string
	Processors int

	Apitest, Embedded, Envtest serverCosts
	// Program is CPU time: of the first build of the program of apitest, after that of a test that uses it.
	Program time.Duration
	// Find is the CPU time that the go command takes to find the program.
	Find time.Duration
}

// serverCosts are those of a kind of server.
type serverCosts struct {
	// CPU times: of a build with an empty cache, of one after a change of the test, and of all from the change until the
	// test has ended.
	FirstBuild, Build, Verdict time.Duration
	// Of the first server of a test binary, and of another one.
	FirstStart, NextStart time.Duration
	// Of the server's processes in bytes, with one server and with many servers with a CRD; 0 is not measured.
	Memory, MemoryOfMany int64
}

// page is what docs/linking.md is printed from.
type page struct {
	Many     int
	Costs    costs
	Packages []row
}

// row is the packages of an origin in each column.
type row struct {
	Origin string
	Counts []int
}

//go:embed linking.md.tmpl
var text string

var document = template.Must(template.New("").Funcs(template.FuncMap{
	"seconds":      func(d time.Duration) string { return number(d.Seconds()) },
	"milliseconds": func(d time.Duration) string { return number(float64(d) / float64(time.Millisecond)) },
	"megabytes":    func(bytes int64) string { return number(float64(bytes) / 1e6) },
}).Parse(text))

// number returns a number with two digits or more, and commas between thousands, or a dash if it was not measured.
func number(f float64) string {
	if f == 0 {
		return "–"
	}
	if f < 9.95 {
		return fmt.Sprintf("%.1f", f)
	}
	digits := strconv.Itoa(int(f + 0.5))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func TestNumber(t *testing.T) {
	for f, want := range map[float64]string{0: "–", 0.04: "0.0", 1.64: "1.6", 9.94: "9.9", 9.96: "10", 66.4: "66", 316.5: "317", 4280: "4,280", 1234567: "1,234,567"} {
		if got := number(f); got != want {
			t.Errorf("number(%g) = %q, want %q", f, got, want)
		}
	}
}

func readCosts(t *testing.T) costs {
	t.Helper()
	text, err := os.ReadFile(costsFile)
	if err != nil {
		t.Fatal(err)
	}
	var c costs
	if err = json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}
