// Package conformance holds the tests that compare listwatch with its peers.
package conformance
