package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/internal/control"
)

// server is a server with what its methods have returned.
type server struct {
	*embedded.Server
	snapshots  table[*embedded.Snapshot]
	injections table[*embedded.Injection]
	recordings table[*embedded.Recording]
}

func newServer(s *embedded.Server) *server { return &server{Server: s} }

// table numbers values. It is safe for concurrent use.
type table[V any] struct {
	mu     sync.Mutex // guards the rest
	last   int
	values map[int]V
}

func (t *table[V]) add(value V) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.values == nil {
		t.values = map[int]V{}
	}
	t.last++
	t.values[t.last] = value
	return t.last
}

func (t *table[V]) find(id int) (V, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	value, ok := t.values[id]
	if !ok {
		return value, fmt.Errorf("unknown %T %d", value, id)
	}
	return value, nil
}

type method func(context.Context, *server, control.Argument) (control.Result, error)

// plain is a method that returns nothing.
func plain(f func(*server)) method {
	return func(_ context.Context, s *server, _ control.Argument) (control.Result, error) {
		f(s)
		return control.Result{}, nil
	}
}

// methods are those of servers, by name.
var methods = map[string]method{
	control.Token:           token,
	control.Kubeconfig:      kubeconfig,
	control.WriteKubeconfig: writeKubeconfig,
	control.Sign:            sign,
	control.Apply:           apply,
	control.Restart:         fallible(func(s *server) error { return s.Restart() }),
	control.Stop:            fallible(func(s *server) error { return s.Stop() }),
	control.Take:            take,
	control.Restore:         restore,
	control.Now:             now,
	control.Advance:         advance,
	control.Inject:          inject,
	control.Hits:            hits,
	control.AwaitDone:       awaitDone,
	control.Remove:          remove,
	control.DropWatches:     dropWatches,
	control.CutConnections:  cutConnections,
	control.ExpireHistory:   plain(func(s *server) { s.Faults().ExpireHistory() }),
	control.Freeze:          plain(func(s *server) { s.Faults().Freeze() }),
	control.Thaw:            plain(func(s *server) { s.Faults().Thaw() }),
	control.Record:          record,
	control.Recorded:        recorded,
	control.ResetRecording:  onRecording((*embedded.Recording).Reset),
	control.StopRecording:   onRecording((*embedded.Recording).Stop),
}

// fallible is a method that returns an error only.
func fallible(f func(*server) error) method {
	return func(_ context.Context, s *server, _ control.Argument) (control.Result, error) {
		return control.Result{}, f(s)
	}
}

func token(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	return control.Result{Text: s.ConfigFor(a.User, a.Groups...).BearerToken}, nil
}

func kubeconfig(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	text, err := s.KubeconfigFor(a.User, a.Groups...)
	return control.Result{Text: string(text)}, err
}

func writeKubeconfig(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	return control.Result{}, s.WriteKubeconfig(a.Path)
}

func sign(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	signed, err := s.Certificate(a.User, a.Groups...)
	return control.Result{Certificate: (*control.Certificate)(signed)}, err
}

func apply(ctx context.Context, s *server, a control.Argument) (control.Result, error) {
	crds, err := definitions(a.CRDs)
	if err != nil {
		return control.Result{}, err
	}
	return control.Result{}, s.Apply(ctx, crds...)
}

func definitions(texts []json.RawMessage) ([]*apiextensions.CustomResourceDefinition, error) {
	var crds []*apiextensions.CustomResourceDefinition
	for _, text := range texts {
		crd := &apiextensions.CustomResourceDefinition{}
		if err := json.Unmarshal(text, crd); err != nil {
			return nil, fmt.Errorf("read a definition: %w", err)
		}
		crds = append(crds, crd)
	}
	return crds, nil
}

func take(_ context.Context, s *server, _ control.Argument) (control.Result, error) {
	return control.Result{ID: s.snapshots.add(s.Snapshot())}, nil
}

func restore(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	snapshot, err := s.snapshots.find(a.ID)
	if err != nil {
		return control.Result{}, err
	}
	return control.Result{}, s.Restore(snapshot)
}

func now(_ context.Context, s *server, _ control.Argument) (control.Result, error) {
	return control.Result{Time: s.Now()}, nil
}

func advance(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	s.Advance(a.Duration)
	return control.Result{}, nil
}

func inject(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	if a.Rule == nil {
		return control.Result{}, errors.New("no rule")
	}
	rule := embedded.Rule{Match: embedded.Match(a.Rule.Match), Delay: a.Rule.Delay, Times: a.Rule.Times}
	switch {
	case a.Rule.Status != nil:
		rule.Error = &apierrors.StatusError{ErrStatus: *a.Rule.Status}
	case a.Rule.Fails:
		rule.Error = errors.New(a.Rule.Message)
	}
	return control.Result{ID: s.injections.add(s.Faults().Inject(rule))}, nil
}

func hits(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	injection, err := s.injections.find(a.ID)
	if err != nil {
		return control.Result{}, err
	}
	return control.Result{Count: injection.Hits()}, nil
}

func awaitDone(ctx context.Context, s *server, a control.Argument) (control.Result, error) {
	injection, err := s.injections.find(a.ID)
	if err != nil {
		return control.Result{}, err
	}
	select {
	case <-injection.Done():
	case <-ctx.Done():
	}
	return control.Result{}, ctx.Err()
}

func remove(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	injection, err := s.injections.find(a.ID)
	if err == nil {
		injection.Remove()
	}
	return control.Result{}, err
}

func dropWatches(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	var matches []embedded.Match
	for _, m := range a.Matches {
		matches = append(matches, embedded.Match(m))
	}
	return control.Result{Count: s.Faults().DropWatches(matches...)}, nil
}

func cutConnections(_ context.Context, s *server, _ control.Argument) (control.Result, error) {
	return control.Result{Count: s.Faults().CutConnections()}, nil
}

func record(_ context.Context, s *server, _ control.Argument) (control.Result, error) {
	return control.Result{ID: s.recordings.add(s.Record())}, nil
}

func recorded(_ context.Context, s *server, a control.Argument) (control.Result, error) {
	recording, err := s.recordings.find(a.ID)
	if err != nil {
		return control.Result{}, err
	}
	dropped := recording.Dropped()
	requests, err := json.Marshal(recording.Requests())
	return control.Result{Requests: requests, Count: dropped}, err
}

func onRecording(f func(*embedded.Recording)) method {
	return func(_ context.Context, s *server, a control.Argument) (control.Result, error) {
		recording, err := s.recordings.find(a.ID)
		if err == nil {
			f(recording)
		}
		return control.Result{}, err
	}
}
