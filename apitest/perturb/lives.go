package perturb

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/runtime/rest"
)

// live runs processes of the program, one after the other, until the run is over.
func (t *trial) live() {
	for t.over.Err() == nil {
		t.mu.Lock()
		away := t.away
		t.mu.Unlock()
		if away != nil {
			select {
			case <-away:
			case <-t.over.Done():
				return
			}
		}
		t.one()
		select {
		case <-time.After(t.pace.restart):
		case <-t.over.Done():
		}
	}
}

// standIn starts another replica of the program.
func (t *trial) standIn() {
	t.mu.Lock()
	t.patient = t.pace.lease
	t.mu.Unlock()
	t.lives.Go(t.live)
}

// one runs a process to its end.
func (t *trial) one() {
	ctx, cancel := context.WithCancel(t.over)
	defer cancel()
	p := &process{trial: t, cancel: cancel, dead: make(chan struct{}), ended: make(chan struct{}), expired: map[string]int{}}
	t.mu.Lock()
	t.processes = append(t.processes, p)
	p.number = len(t.processes)
	if p.number > 1 {
		t.tell("", fmt.Sprintf("Process %d of the program starts.", p.number))
		if stale := t.schedule.first.stale; stale.n > 0 && p.number == 2 && t.staleAt > 0 {
			p.staleAt = t.staleAt
			t.held.Store(&holding{resource: everything, released: make(chan struct{})})
			t.tell("", "It sees the state before \""+stale.String()+"\".")
		}
	}
	t.mu.Unlock()
	var err error
	t.lives.Go(func() {
		err = t.start(ctx, p)
		close(p.ended)
	})
	select {
	case <-p.ended:
	case <-p.dead: // what it has still to do, a process that has crashed does not
		return
	}
	killed := t.over.Err() != nil || ctx.Err() != nil
	p.crash() // what goes on after Start ends with the process
	if killed {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.returned++
	t.tell(p.lane(), fmt.Sprintf("ends: %v", err))
	if t.returned > 5 || len(t.writes) == 0 && t.schedule.first.kind == "" {
		t.failed = append(t.failed, verdict{ruleRun, fmt.Sprintf("the program ends again and again: %v", err)})
	}
}

func (t *trial) start(ctx context.Context, p *process) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	ctx = context.WithValue(ctx, processKey{}, p)
	if !t.pace.virtual {
		return t.startApart(ctx, p)
	}
	wrap := func(next http.RoundTripper) http.RoundTripper { return connection{p, next} }
	config, clientGo := t.server.Config(), t.server.RESTConfig()
	if user := t.controller.User; user != "" {
		config, clientGo = t.server.ConfigFor(user, t.controller.Groups...), t.server.RESTConfigFor(user, t.controller.Groups...)
	}
	config.Wrap(wrap)
	clientGo.Wrap(wrap)
	return t.startWith(ctx, config, clientGo)
}

// startWith starts the program with one of two configurations.
func (t *trial) startWith(ctx context.Context, config *rest.Config, clientGo *clientgo.Config) error {
	if t.controller.Start != nil {
		config.ContentType = runtime.ContentTypeJSON
		return t.controller.Start(ctx, config)
	}
	clientGo.ContentType = runtime.ContentTypeJSON
	return t.controller.StartClientGo(ctx, clientGo)
}
