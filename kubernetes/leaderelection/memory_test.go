package leaderelection_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

var leases = schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}

// server stores the record of one election in memory.
type server struct {
	careless bool // accepts updates of an old version: a bug

	mu      sync.Mutex // guards the fields below
	record  *resourcelock.LeaderElectionRecord
	version int
	writes  []write
}

// write is one that the server has accepted.
type write struct {
	verb   string
	at     time.Time
	record resourcelock.LeaderElectionRecord
}

func (s *server) get() (resourcelock.LeaderElectionRecord, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.record == nil {
		return resourcelock.LeaderElectionRecord{}, 0, apierrors.NewNotFound(leases, "lock")
	}
	return *s.record, s.version, nil
}

func (s *server) create(record resourcelock.LeaderElectionRecord) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.record != nil {
		return 0, apierrors.NewAlreadyExists(leases, "lock")
	}
	return s.set("create", record), nil
}

func (s *server) update(record resourcelock.LeaderElectionRecord, version int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.record == nil:
		return 0, apierrors.NewNotFound(leases, "lock")
	case version != s.version && !s.careless:
		return 0, apierrors.NewConflict(leases, "lock", errors.New("the object has been modified"))
	}
	return s.set("update", record), nil
}

// set is called with mu.
func (s *server) set(verb string, record resourcelock.LeaderElectionRecord) int {
	s.record = &record
	s.version++
	s.writes = append(s.writes, write{verb, time.Now(), record})
	return s.version
}

func (s *server) delete() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record = nil
}

// last returns the record.
func (s *server) last() *resourcelock.LeaderElectionRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	record := *s.record
	return &record
}

// all returns all writes.
func (s *server) all() []write {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.writes)
}

// holders returns the holders of all writes, without repetitions.
func (s *server) holders() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, w := range s.writes {
		all = append(all, w.record.HolderIdentity)
	}
	return slices.Compact(all)
}

// lock is a lock on a server.
type lock struct {
	on       *server
	identity string
	// alter, if set, changes each record before it is written.
	alter func(*resourcelock.LeaderElectionRecord)

	version int
	events  []string

	mu sync.Mutex // guards send
	// send delivers a request to the server and its response to the lock: it calls request, at once if send
	// is nil. It returns an error if there is no response.
	send func(ctx context.Context, request func()) error
}

func (l *lock) setSend(send func(ctx context.Context, request func()) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.send = send
}

func (l *lock) do(ctx context.Context, request func() (int, error)) error {
	type response struct {
		version int
		err     error
	}
	responses := make(chan response, 1) // the request may arrive after do has returned
	l.mu.Lock()
	send := l.send
	l.mu.Unlock()
	if send == nil {
		send = func(ctx context.Context, request func()) error { request(); return ctx.Err() }
	}
	if err := send(ctx, func() {
		version, err := request()
		responses <- response{version, err}
	}); err != nil {
		return err
	}
	r := <-responses
	if r.err == nil {
		l.version = r.version
	}
	return r.err
}

func (l *lock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	records := make(chan resourcelock.LeaderElectionRecord, 1)
	err := l.do(ctx, func() (int, error) {
		record, version, err := l.on.get()
		records <- record
		return version, err
	})
	if err != nil {
		return nil, nil, err
	}
	record := <-records
	spec := resourcelock.LeaderElectionRecordToLeaseSpec(&record)
	raw, err := json.Marshal(spec)
	return &record, raw, err
}

func (l *lock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if l.alter != nil {
		l.alter(&record)
	}
	return l.do(ctx, func() (int, error) { return l.on.create(record) })
}

func (l *lock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if l.alter != nil {
		l.alter(&record)
	}
	version := l.version
	return l.do(ctx, func() (int, error) { return l.on.update(record, version) })
}

func (l *lock) RecordEvent(text string) { l.events = append(l.events, text) }
func (l *lock) Identity() string        { return l.identity }
func (l *lock) Describe() string        { return "memory/lock" }
