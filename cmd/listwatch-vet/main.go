// Listwatch-vet checks the markers of Kubernetes API types in "go vet".
//
//	go vet -vettool=$(go tool -n listwatch-vet) ./apis/...
//
// It reports what gen-all reports about each package, at file:line:col, and generates nothing. With
// "go vet -fix", it corrects what it knows how to correct, such as misspelled markers. The same analyzer
// is a package for other drivers: github.com/listwatch/listwatch/generators/analyzer.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/listwatch/listwatch/generators/analyzer"
)

func main() { unitchecker.Main(analyzer.Analyzer) }
