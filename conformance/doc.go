// Package conformance contains the tests that compare listwatch with its peers: code-generator, controller-tools,
// client-go, and the real API server. The target conformance of the Makefile runs them.
//
//   - generators: what the generators print, beside what upstream's generators print
//   - runtime: what a client does, beside what client-go's does
//   - server: what apitest answers, beside what the real API server answers
//   - size: what a program links
//   - docs: what the documents promise
//   - internal: what the tests need: the compared generators, the real API server, scratch modules
package conformance
