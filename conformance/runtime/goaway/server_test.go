package goaway_test

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// point is where in a response the server sends GOAWAY.
type point string

const (
	unprocessed point = "before the request is processed"
	beforeHead  point = "before the head"
	afterHead   point = "after the head"
	inBody      point = "in the body"
	afterBody   point = "after the body"
	refused     point = "never, the stream is refused"
	resetBody   point = "never, the stream is reset in the body"
)

// script is what a server does with the first requests; it responds to all others.
type script struct {
	point  point
	code   http2.ErrCode
	closes bool // closes the connection after GOAWAY
	times  int  // how many requests it does that with
}

// server is an HTTP/2 server that follows a script.
type server struct {
	listener net.Listener
	config   *tls.Config
	script   script

	mu       sync.Mutex // guards the fields below
	conns    int
	requests []string
	open     map[net.Conn]bool
	left     int
	ended    bool
}

func serve(t *testing.T, config *tls.Config, s script) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	config = config.Clone()
	config.NextProtos = []string{"h2"}
	srv := &server{listener: listener, config: config, script: s, open: map[net.Conn]bool{}, left: s.times}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if !srv.opened(conn) {
				_ = conn.Close()
				return
			}
			serving.Go(func() { srv.serveConn(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		srv.closeAll()
		serving.Wait()
	})
	return srv
}

func (s *server) opened(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns++
	s.open[conn] = true
	return !s.ended
}

func (s *server) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for conn := range s.open {
		_ = conn.Close()
	}
}

// got records a request, and reports whether it belongs to the script.
func (s *server) got(request string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	if s.left == 0 {
		return false
	}
	s.left--
	return true
}

// saw returns the number of connections, and the requests.
func (s *server) saw() (conns int, requests []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns, s.requests
}

func (s *server) serveConn(raw net.Conn) {
	defer func() { _ = raw.Close() }()
	conn := tls.Server(raw, s.config)
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(conn, preface); err != nil {
		return
	}
	framer := http2.NewFramer(conn, conn)
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if framer.WriteSettings() != nil {
		return
	}
	requests := map[uint32]string{}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		ended := uint32(0)
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				err = framer.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if !f.IsAck() {
				err = framer.WritePing(true, f.Data)
			}
		case *http2.MetaHeadersFrame:
			requests[f.StreamID] = f.PseudoValue("method") + " " + f.PseudoValue("path")
			if f.StreamEnded() {
				ended = f.StreamID
			}
		case *http2.DataFrame:
			if f.StreamEnded() {
				ended = f.StreamID
			}
		}
		if err == nil && ended != 0 {
			err = s.respond(framer, ended, requests[ended])
		}
		if err != nil {
			return
		}
	}
}

// respond responds to a request, and returns an error if the connection is to be closed.
func (s *server) respond(framer *http2.Framer, stream uint32, request string) error {
	does := s.script
	if !s.got(request) {
		does = script{}
	}
	leave := func(at point) error {
		if does.point != at {
			return nil
		}
		last := stream
		if at == unprocessed {
			last = stream - 1 // it is odd
		}
		if err := framer.WriteGoAway(last, does.code, nil); err != nil {
			return err
		}
		if does.closes {
			return io.EOF
		}
		return nil
	}
	switch does.point {
	case unprocessed:
		return leave(unprocessed)
	case refused:
		return framer.WriteRSTStream(stream, http2.ErrCodeRefusedStream)
	}
	if err := leave(beforeHead); err != nil {
		return err
	}
	var head bytes.Buffer
	encoder := hpack.NewEncoder(&head)
	_ = encoder.WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
	_ = encoder.WriteField(hpack.HeaderField{Name: "content-type", Value: "application/json"})
	err := framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head.Bytes(), EndHeaders: true})
	if err == nil {
		err = leave(afterHead)
	}
	body := []byte(bodyFor(request))
	half := len(body) / 2
	if err == nil {
		err = framer.WriteData(stream, false, body[:half])
	}
	if err == nil && does.point == resetBody {
		return framer.WriteRSTStream(stream, http2.ErrCodeInternal)
	}
	if err == nil {
		err = leave(inBody)
	}
	if err == nil {
		err = framer.WriteData(stream, true, body[half:])
	}
	if err == nil {
		err = leave(afterBody)
	}
	return err
}

// Responses; the first half of the events is one event, and a part of the next.
const (
	object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n","resourceVersion":"1"}}`
	list   = `{"apiVersion":"v1","kind":"ConfigMapList","metadata":{"resourceVersion":"7"},"items":[` + object + `,` + object + `]}`
	events = `{"type":"ADDED","object":` + object + "}\n" + `{"type":"MODIFIED","object":` + object + "}\n" + `{"type":"DELETED","object":` + object + "}\n"
)

func bodyFor(request string) string {
	switch {
	case strings.Contains(request, "watch=true"):
		return events
	case strings.HasPrefix(request, "GET") && strings.Contains(request, "/configmaps/"), strings.HasPrefix(request, "POST"):
		return object
	default:
		return list
	}
}
