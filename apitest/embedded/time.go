package embedded

import "time"

// WithTime makes the server's clock stand still at start, until [Server.Advance] moves it. By default it runs with
// the system's clock.
//
// The clock governs: the creation and deletion timestamps of objects, including the grace period; the lifetime of
// events, and of other objects that expire; the tokens of service accounts, which expire by it; and the age of the
// history, so that watches and lists at resource versions older than five minutes get 410 Gone.
//
// It does not govern: certificates, and other times that Kubernetes' code sets, such as those of managed fields and
// conditions; nor anything that takes place on connections, which follows the system's clock: the timeouts of
// requests and watches, and the intervals of bookmarks.
func WithTime(start time.Time) Option {
	return func(o *options) { o.start = &start }
}

// Now returns the time of the server's clock.
func (s *Server) Now() time.Time { return s.clock.Now() }

// Advance moves the server's clock forward by d. When it returns, the objects whose time is over are deleted and
// their watchers have the events; controllers of [WithControllers] have done what follows. The clock cannot go back; a negative d does nothing.
func (s *Server) Advance(d time.Duration) {
	s.clock.Advance(d)
	s.backend.Tick()
	s.runControllers()
}
