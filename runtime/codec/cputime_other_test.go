//go:build !unix

package codec_test

import "testing"

// onCPU reports nothing.
func onCPU(*testing.B) (stop func()) { return func() {} }
