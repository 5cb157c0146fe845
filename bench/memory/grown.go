package main

import "github.com/listwatch/listwatch/bench/internal/contest"

const (
	// once is the number of Pods from which on a size is measured once.
	once = 300_000
	// largest is the number of Pods in whose memory whole objects of client-go and of listwatch are measured: 4 GB.
	largest = 300_000
)

var (
	upToAMillion = []int{1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000}
	upToLargest  = upToAMillion[:6]
)

// growths are the memory for up to 1,000,000 Pods, each form on the same pictures.
var growths = []contest.Growth{
	grown("whole", "", form{}, upToLargest),
	grown("fields", "Keep", form{fields: ten}, upToAMillion),
	grown("view", "view", form{fields: ten, view: podView}, upToAMillion),
	grown("packed", "packed", form{packed: true}, upToAMillion),
}

func grown(name, alone string, f form, sizes []int) contest.Growth {
	return contest.Growth{
		Name: name, X: "Pods", Sizes: sizes, PeerUpTo: largest, Once: once, WarmUp: 100, Alone: alone, Start: overHTTP("/replicas", f),
		Drawings: []contest.Drawing{
			{File: "memory-live", Title: "Pods in a cache", Row: contest.LiveHeap.Named("live heap, MiB")},
			{File: "memory-peak", Title: "Pods in a cache: sync", Row: contest.PeakHeap.Named("peak heap, MiB")},
		},
	}
}
