// Listwatch-vet checks the markers of Kubernetes API types in "go vet".
//
//	go vet -vettool=$(go tool -n listwatch-vet) ./apis/...
//
// It reports the errors and warnings of gen-all about each package, at file:line:col, and generates nothing.
// With "go vet -fix", it makes the known corrections, such as of misspelled markers. The same analyzer
// is a package for other drivers: github.com/listwatch/listwatch/generators/analyzer.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/listwatch/listwatch/generators/analyzer"
)

func main() { unitchecker.Main(analyzer.Analyzer) }
