// Package lint compares the verdicts of --lint with kube-api-linter's, on the cases of its own tests: with the tag
// projects, which downloads it. The result for each rule is in testdata/verdicts.txt.
package lint
