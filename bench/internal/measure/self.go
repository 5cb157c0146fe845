package measure

import (
	"runtime"
	"runtime/metrics"
	"syscall"
	"time"
)

// Cost is the cost of a function in its process.
type Cost struct {
	// CPU is the user and system time of all threads, including the garbage collector.
	CPU time.Duration
	// Wall is the elapsed time.
	Wall time.Duration
	// Bytes and Allocs are the allocations, whether or not they were freed.
	Bytes, Allocs int64
	// PeakHeap is the largest number of bytes of heap objects, including garbage,
	// sampled every millisecond.
	PeakHeap int64
	// LiveHeap is the number of bytes of heap objects afterwards, without garbage.
	LiveHeap int64
	// PeakRSS is the largest resident set of the process so far, in bytes.
	PeakRSS int64
}

// Self runs a function and returns its cost in this process. It retains the first result of the
// function until LiveHeap is measured. Nothing else should run at the same time.
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
	runtime.GC() // the second run frees objects in finalizers and pools
	runtime.GC()
	runtime.ReadMemStats(&after)
	cost.LiveHeap = int64(after.HeapAlloc)
	runtime.KeepAlive(kept)
	return cost, nil
}

// CPU returns the user and system time of this process.
func CPU() time.Duration {
	cpu, _ := usage()
	return cpu
}

// usage returns the CPU time of this process and its largest resident set.
func usage() (time.Duration, int64) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // only for invalid arguments
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
