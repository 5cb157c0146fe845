package drive

import (
	"regexp"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// Recorder collects calls.
type Recorder struct {
	calls []transcript.Call
}

// Record appends a call, without its server's address.
func (r *Recorder) Record(c transcript.Call) {
	for i := range c.Requests {
		for name, value := range c.Requests[i].Header {
			c.Requests[i].Header[name] = address.ReplaceAllString(value, "server")
		}
	}
	for i := range c.Events {
		c.Events[i] = address.ReplaceAllString(c.Events[i], "server")
	}
	c.Error = address.ReplaceAllString(c.Error, "server")
	r.calls = append(r.calls, c)
}

var address = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
