package perturb

import (
	"bytes"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// What is left of a program when a run has ended is told by the stacks of its goroutines, whose first lines name their bubble.

var bubbleName = regexp.MustCompile(`synctest bubble \d+`)

// bubble returns the name of the bubble that it is called in.
func bubble() string {
	text := make([]byte, 1<<10)
	return bubbleName.FindString(string(text[:runtime.Stack(text, false)]))
}

// left returns the stacks of the goroutines of a bubble, as far as these fit into a megabyte beside all others.
func left(bubble string) string {
	text := make([]byte, 1<<20)
	stacks := bytes.Split(text[:runtime.Stack(text, true)], []byte("\n\n"))
	return string(bytes.Join(slices.DeleteFunc(stacks, func(stack []byte) bool {
		first, _, _ := bytes.Cut(stack, []byte("\n"))
		return bubble == "" || bubbleName.FindString(string(first)) != bubble
	}), []byte("\n\n")))
}

// waiting returns those of the stacks whose goroutines wait for something outside of the bubble.
func waiting(bubble string) string {
	stacks := strings.Split(left(bubble), "\n\n")
	return strings.Join(slices.DeleteFunc(stacks, func(stack string) bool {
		first, _, _ := strings.Cut(stack, "\n")
		return strings.Contains(first, "durable") || strings.Contains(first, "synctest.")
	}), "\n\n")
}
