// Package behaviour compares what a program observes of client-go with what it observes after one line in its go.mod,
// which replaces k8s.io/client-go by this repository's module client-go.
//
// The scripts of package script import client-go and know nothing of the line. The test compiles them twice, runs both
// programs, and compares their records case by case: results, errors with all that apimachinery's predicates and type
// assertions tell about them, requests, calls of handlers, and log lines of warnings and errors.
//
// # Exceptions
//
// The variable differences lists the cases whose records differ, with the reason. A case that does not differ any more
// must not be in the list. docs/compatibility.md describes the differences.
package behaviour
