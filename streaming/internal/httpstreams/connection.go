// Package httpstreams converts between the two sets of interfaces for multiplexed connections, those of
// k8s.io/apimachinery and those of k8s.io/streaming, and creates SPDY connections that can always be closed.
package httpstreams

import (
	"net/http"

	"k8s.io/apimachinery/pkg/util/httpstream"
	streaming "k8s.io/streaming/pkg/httpstream"
)

// ToStreaming returns an apimachinery connection as one of k8s.io/streaming.
func ToStreaming(conn httpstream.Connection) streaming.Connection {
	if back, ok := conn.(fromStreaming); ok {
		return back.Connection
	}
	return toStreaming{conn}
}

// FromStreaming returns a connection of k8s.io/streaming as one of apimachinery.
func FromStreaming(conn streaming.Connection) httpstream.Connection {
	if back, ok := conn.(toStreaming); ok {
		return back.Connection
	}
	return fromStreaming{conn}
}

// The streams of both sets have the same methods, so that each is also a stream of the other set.

type toStreaming struct{ httpstream.Connection }

func (c toStreaming) CreateStream(headers http.Header) (streaming.Stream, error) {
	return c.Connection.CreateStream(headers)
}

func (c toStreaming) RemoveStreams(streams ...streaming.Stream) {
	theirs := make([]httpstream.Stream, len(streams))
	for i, stream := range streams {
		theirs[i] = stream
	}
	c.Connection.RemoveStreams(theirs...)
}

type fromStreaming struct{ streaming.Connection }

func (c fromStreaming) CreateStream(headers http.Header) (httpstream.Stream, error) {
	return c.Connection.CreateStream(headers)
}

func (c fromStreaming) RemoveStreams(streams ...httpstream.Stream) {
	theirs := make([]streaming.Stream, len(streams))
	for i, stream := range streams {
		theirs[i] = stream
	}
	c.Connection.RemoveStreams(theirs...)
}
