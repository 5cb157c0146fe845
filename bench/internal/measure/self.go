package measure

import (
	"runtime"
	"runtime/metrics"
	"syscall"
	"time"
)

// Cost is what a function cost the process that it ran in, and what it left.
type Cost struct {
	// CPU is user and system time of all threads, the garbage collector's too.
	CPU time.Duration
	// Wall is the time that passed.
	Wall time.Duration
	// Bytes and Allocs are what was allocated, whether or not it was freed since.
	Bytes, Allocs int64
	// PeakHeap is the largest number of bytes that objects had on the heap at one
	// time, those included that were not collected yet. It is sampled every
	// millisecond.
	PeakHeap int64
	// LiveHeap is what the heap holds afterwards without garbage.
	LiveHeap int64
	// PeakRSS is the largest resident set that the process has had so far, in
	// bytes.
	PeakRSS int64
}

// Self runs a function and returns what it cost this process. The first result of
// the function is kept until LiveHeap is known. Nothing else should run meanwhile.
func Self(f func() (any, error)) (Cost, error) {
	runtime.GC()
	heap := watchHeap()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, _ := usage()
	start := time.Now()

	kept, err := f()

	wall := time.Since(start)
	cpuAfter, rss := usage()
	runtime.ReadMemStats(&after)
	peak := heap.stop()
	if err != nil {
		return Cost{}, err
	}
	cost := Cost{
		CPU:      cpuAfter - cpu,
		Wall:     wall,
		Bytes:    int64(after.TotalAlloc - before.TotalAlloc),
		Allocs:   int64(after.Mallocs - before.Mallocs),
		PeakHeap: peak,
		PeakRSS:  rss,
	}
	runtime.GC() // what finalizers and pools hold goes with the second
	runtime.GC()
	runtime.ReadMemStats(&after)
	cost.LiveHeap = int64(after.HeapAlloc)
	runtime.KeepAlive(kept)
	return cost, nil
}

// usage returns the CPU time of this process and its largest resident set.
func usage() (time.Duration, int64) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // only for arguments that are wrong
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), peak(&r)
}

// heapWatch samples the size of the heap's objects.
type heapWatch struct {
	done chan struct{}
	peak chan int64
}

func watchHeap() heapWatch {
	w := heapWatch{done: make(chan struct{}), peak: make(chan int64)}
	ready := make(chan struct{})
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		largest := heapSize()
		close(ready)
		for {
			select {
			case <-tick.C:
				largest = max(largest, heapSize())
			case <-w.done:
				w.peak <- max(largest, heapSize())
				return
			}
		}
	}()
	<-ready
	return w
}

// stop ends the sampling and returns the largest size seen.
func (w heapWatch) stop() int64 {
	close(w.done)
	return <-w.peak
}

func heapSize() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
