package cache

import "sync/atomic"

// signal is something that happens once. Others wait for it on its channel. Without waiting, they
// call happened: receiving from a channel of a [testing/synctest] bubble ends the program if it is
// done outside of the bubble, which a debug page cannot know.
type signal struct {
	sent    atomic.Bool   // set once
	channel chan struct{} // closed after sent is set
}

func newSignal() *signal { return &signal{channel: make(chan struct{})} }

// send is called at most once.
func (s *signal) send() {
	s.sent.Store(true)
	close(s.channel)
}

func (s *signal) happened() bool { return s.sent.Load() }

func (s *signal) done() <-chan struct{} { return s.channel }
