// Package parallel calls functions concurrently.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Each calls f with each number from 0 to n-1, as many calls at a time as there are processors, and waits for all
// of them. If calls panic, it panics after the others with the value of one of them and its stack, so that its caller
// can recover.
func Each(n int, f func(i int)) {
	var mu sync.Mutex // guards crash
	var crash any
	call := func(i int) {
		defer func() {
			if value := recover(); value != nil {
				mu.Lock()
				defer mu.Unlock()
				crash = fmt.Sprintf("%v\n\n%s", value, debug.Stack())
			}
		}()
		f(i)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := range next {
				call(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	if crash != nil {
		panic(crash)
	}
}
