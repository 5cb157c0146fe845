// Package size contains the test linking, which compares what programs link, and how large they are, with the same programs
// on client-go. The target conformance-peers runs it.
package size
