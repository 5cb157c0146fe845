package apitest

import (
	"time"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// Now returns the time of the server's clock.
func (s *Server) Now() time.Time { return s.do(control.Now, control.Argument{}).Time }

// Advance moves the server's clock forward by d. When it returns, the objects whose time is over are deleted and
// their watchers have the events; controllers of [WithControllers] have done what follows. The clock cannot go back; a
// negative d does nothing.
func (s *Server) Advance(d time.Duration) { s.do(control.Advance, control.Argument{Duration: d}) }
