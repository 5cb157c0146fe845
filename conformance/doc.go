// Package conformance contains the tests that compare listwatch with its peers.
package conformance
