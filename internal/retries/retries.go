// Package retries records how often third-party tests were repeated.
//
// Such tests may depend on the speed of the machine. The conformance suites repeat those that fail;
// an unnoticed repetition would hide a bug of ours. The record is the file that the environment
// variable [Variable] names, with one line per test; without the variable, nothing is recorded.
package retries

import (
	"fmt"
	"os"
	"testing"
)

// Variable names the environment variable that holds the record's path.
const Variable = "LISTWATCH_RETRIES"

// Record adds a line to the record: a test of the suite was repeated n times. It does
// nothing if n is 0. Processes and goroutines may call it at the same time: a line is one
// write.
func Record(t testing.TB, suite, test string, n int) {
	t.Helper()
	path := os.Getenv(Variable)
	if n == 0 || path == "" {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(file, "%s: %s ran again %d times\n", suite, test, n)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		t.Fatal(err)
	}
}
