package gentype_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/gentype"
)

// script is a client whose watches send events and whose lists have pages of one object.
type script struct {
	gentype.Getter[*object]
	events  []watch.Event
	names   []string
	failAt  int // the page whose request fails; 0 for none
	err     error
	opts    []metav1.ListOptions
	stopped bool
}

// stopping is a watch that records that it was stopped.
type stopping struct {
	watch.Interface
	script *script
}

func (s stopping) Stop() { s.script.stopped = true }

func (s *script) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	s.opts = append(s.opts, opts)
	if s.err != nil {
		return nil, s.err
	}
	w := watch.NewFakeWithChanSize(len(s.events), false)
	for _, e := range s.events {
		w.Action(e.Type, e.Object)
	}
	w.Stop()
	return stopping{w, s}, nil
}

func (s *script) List(_ context.Context, opts metav1.ListOptions) (*objectList, error) {
	s.opts = append(s.opts, opts)
	if len(s.opts) == s.failAt {
		return nil, s.err
	}
	at, _ := strconv.Atoi(opts.Continue)
	list := &objectList{}
	if at < len(s.names) {
		list.Items = []object{{ObjectMeta: metav1.ObjectMeta{Name: s.names[at]}}}
	}
	if at+1 < len(s.names) {
		list.Continue = strconv.Itoa(at + 1)
	}
	return list, nil
}

func named(name string) *object { return &object{ObjectMeta: metav1.ObjectMeta{Name: name}} }

func TestEvents(t *testing.T) {
	failure := errors.New("no")
	gone := apierrors.NewResourceExpired("too old").Status()
	added := watch.Event{Type: watch.Added, Object: named("a")}
	for _, tt := range []struct {
		name  string
		from  script
		leave int // number of elements after which the loop is left; 0 for never
		want  []string
	}{
		{name: "to the end", from: script{events: []watch.Event{added, {Type: watch.Deleted, Object: named("a")}}}, want: []string{"ADDED a", "DELETED a"}},
		{name: "left", from: script{events: []watch.Event{added, added}}, leave: 1, want: []string{"ADDED a"}},
		{name: "request failed", from: script{err: failure}, want: []string{"no"}},
		{name: "error of the server", from: script{events: []watch.Event{added, {Type: watch.Error, Object: &gone}, added}}, want: []string{"ADDED a", "too old"}},
		{name: "another type", from: script{events: []watch.Event{{Type: watch.Added, Object: &metav1.Status{}}, added}}, want: []string{"watch event ADDED contains *v1.Status, want *v1.PartialObjectMetadata"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for e, err := range gentype.Events(t.Context(), &tt.from, metav1.ListOptions{ResourceVersion: "7"}) {
				if err != nil {
					got = append(got, err.Error())
				} else {
					got = append(got, string(e.Type)+" "+e.Object.Name)
				}
				if len(got) == tt.leave {
					break
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if tt.from.stopped == (tt.from.err != nil) {
				t.Errorf("stopped is %v", tt.from.stopped)
			}
			if tt.from.opts[0].ResourceVersion != "7" {
				t.Errorf("watched with %v", tt.from.opts[0])
			}
		})
	}
}

func TestPages(t *testing.T) {
	failure := errors.New("no")
	for _, tt := range []struct {
		name  string
		from  script
		leave int
		want  []string
		pages int
	}{
		{name: "nothing", want: nil, pages: 1},
		{name: "three pages", from: script{names: []string{"a", "b", "c"}}, want: []string{"a", "b", "c"}, pages: 3},
		{name: "left", from: script{names: []string{"a", "b", "c"}}, leave: 2, want: []string{"a", "b"}, pages: 2},
		{name: "second page fails", from: script{names: []string{"a", "b"}, failAt: 2, err: failure}, want: []string{"a", "no"}, pages: 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for o, err := range gentype.Pages(t.Context(), &tt.from, metav1.ListOptions{ResourceVersion: "7", ResourceVersionMatch: metav1.ResourceVersionMatchExact}) {
				if err != nil {
					got = append(got, err.Error())
				} else {
					got = append(got, o.Name)
				}
				if len(got) == tt.leave {
					break
				}
			}
			if !slices.Equal(got, tt.want) || len(tt.from.opts) != tt.pages {
				t.Errorf("got %v by %d requests, want %v by %d", got, len(tt.from.opts), tt.want, tt.pages)
			}
			for i, opts := range tt.from.opts {
				if opts.Limit != 500 || (opts.ResourceVersion == "7") != (i == 0) || (opts.Continue == "") != (i == 0) {
					t.Errorf("page %d was requested with %+v", i, opts)
				}
			}
		})
	}
	limited := &script{}
	for object, err := range gentype.Pages(t.Context(), limited, metav1.ListOptions{Limit: 3}) {
		t.Errorf("got %v, %v, want no object", object, err)
	}
	if limited.opts[0].Limit != 3 {
		t.Errorf("requested a page of %d, want 3", limited.opts[0].Limit)
	}
}
