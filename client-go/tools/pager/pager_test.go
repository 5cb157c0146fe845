package pager_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"k8s.io/client-go/tools/pager"
)

// server has pods 0, 1, ... and notes what was requested.
type server struct {
	pods     int
	requests []string
	// fail returns the error of the request with a number, from 1 on.
	fail func(n int) error
}

func (s *server) list(_ context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	s.requests = append(s.requests, fmt.Sprintf("limit %d from %q version %q %s", opts.Limit, opts.Continue, opts.ResourceVersion, opts.ResourceVersionMatch))
	if s.fail != nil {
		if err := s.fail(len(s.requests)); err != nil {
			return nil, err
		}
	}
	first, _ := strconv.Atoi(opts.Continue)
	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "7"}}
	for i := first; i < s.pods; i++ {
		if opts.Limit > 0 && i == first+int(opts.Limit) {
			list.Continue = strconv.Itoa(i)
			break
		}
		list.Items = append(list.Items, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: strconv.Itoa(i)}})
	}
	return list, nil
}

// names returns the names of a list's pods.
func names(list runtime.Object) string {
	var all []string
	switch list := list.(type) {
	case *corev1.PodList:
		for _, pod := range list.Items {
			all = append(all, pod.Name)
		}
	case *internalversion.List:
		for _, obj := range list.Items {
			all = append(all, obj.(*corev1.Pod).Name)
		}
	}
	return strings.Join(all, " ")
}

var (
	errExpired = apierrors.NewResourceExpired("gone")
	errOther   = errors.New("other")
)

func TestList(t *testing.T) {
	failAt := func(at int, err error) func(int) error {
		return func(n int) error {
			if n == at {
				return err
			}
			return nil
		}
	}
	for _, tt := range []struct {
		name     string
		options  metav1.ListOptions
		fail     func(int) error
		keep     bool // FullListIfExpired is off
		want     string
		paged    bool
		requests []string
		err      error
	}{
		{
			name: "pages", want: "0 1 2 3 4", paged: true,
			options:  metav1.ListOptions{ResourceVersion: "5", ResourceVersionMatch: "NotOlderThan"},
			requests: []string{`limit 2 from "" version "5" NotOlderThan`, `limit 2 from "2" version "" `, `limit 2 from "4" version "" `},
		},
		{
			name: "one page", options: metav1.ListOptions{Limit: 9}, want: "0 1 2 3 4",
			requests: []string{`limit 9 from "" version "" `},
		},
		{
			name: "from the last page", options: metav1.ListOptions{Continue: "4"}, want: "4",
			requests: []string{`limit 2 from "4" version "" `},
		},
		{
			name: "expired", fail: failAt(2, errExpired), want: "0 1 2 3 4", paged: true,
			options:  metav1.ListOptions{ResourceVersion: "5"},
			requests: []string{`limit 2 from "" version "5" `, `limit 2 from "2" version "" `, `limit 0 from "" version "5" `},
		},
		{
			name: "expired, first page", fail: failAt(1, errExpired), err: errExpired,
			requests: []string{`limit 2 from "" version "" `},
		},
		{
			name: "expired token of the caller", options: metav1.ListOptions{Continue: "4"}, fail: failAt(1, errExpired), want: "0 1 2 3 4",
			requests: []string{`limit 2 from "4" version "" `, `limit 0 from "" version "" `},
		},
		{
			name: "expired, no full list", fail: failAt(2, errExpired), keep: true, err: errExpired, paged: true,
			requests: []string{`limit 2 from "" version "" `, `limit 2 from "2" version "" `},
		},
		{
			name: "another error", fail: failAt(2, errOther), err: errOther, paged: true,
			requests: []string{`limit 2 from "" version "" `, `limit 2 from "2" version "" `},
		},
	} {
		for _, alloc := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", tt.name, alloc), func(t *testing.T) {
				s := &server{pods: 5, fail: tt.fail}
				p := pager.New(s.list)
				p.PageSize, p.FullListIfExpired = 2, !tt.keep
				list := p.List
				if alloc {
					list = p.ListWithAlloc
				}
				got, paged, err := list(t.Context(), tt.options)
				if !errors.Is(err, tt.err) || paged != tt.paged || names(got) != tt.want {
					t.Errorf("%q, paged %t, %v", names(got), paged, err)
				}
				if !reflect.DeepEqual(s.requests, tt.requests) {
					t.Errorf("requests %q", s.requests)
				}
				if list, ok := got.(*internalversion.List); ok && (list.ResourceVersion != "7" || list.Continue != "") {
					t.Errorf("metadata %+v", list.ListMeta)
				}
			})
		}
	}
}

func TestNoList(t *testing.T) {
	p := pager.New(pager.SimplePageFunc(func(metav1.ListOptions) (runtime.Object, error) { return &corev1.Pod{}, nil }))
	if _, _, err := p.List(t.Context(), metav1.ListOptions{}); err == nil || !strings.Contains(err.Error(), "list") {
		t.Errorf("error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := p.List(ctx, metav1.ListOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// Each case ends with no goroutine left: otherwise synctest fails.
func TestEachListItem(t *testing.T) {
	for _, tt := range []struct {
		name   string
		buffer int32
		stopAt int                // pod for which the function fails, -1 for none
		fail   func(n int) error  // of requests
		cancel context.CancelFunc // set if the context ends with pod 1
		want   int                // pods
		err    error
	}{
		{name: "all", buffer: 10, stopAt: -1, want: 5},
		{name: "no buffer", stopAt: -1, want: 5},
		{name: "the function fails", buffer: 10, stopAt: 2, want: 3, err: errOther},
		{name: "the function fails while pages wait", stopAt: 0, want: 1, err: errOther},
		{
			name: "a request fails", buffer: 10, stopAt: -1, want: 2, err: errExpired,
			fail: func(n int) error { return map[int]error{2: errExpired}[n] },
		},
		{name: "the context ends", stopAt: -1, cancel: func() {}, want: 2, err: context.Canceled},
	} {
		for _, alloc := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", tt.name, alloc), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					s := &server{pods: 5, fail: tt.fail}
					p := pager.New(s.list)
					p.PageSize, p.PageBufferSize = 2, tt.buffer
					each := p.EachListItem
					if alloc {
						each = p.EachListItemWithAlloc
					}
					got := 0
					err := each(ctx, metav1.ListOptions{}, func(obj runtime.Object) error {
						if name := obj.(*corev1.Pod).Name; name != strconv.Itoa(got) {
							t.Errorf("pod %s is number %d", name, got)
						}
						got++
						if tt.cancel != nil && got == 2 {
							cancel()
						}
						if got-1 == tt.stopAt {
							return errOther
						}
						return nil
					})
					if got != tt.want || !errors.Is(err, tt.err) {
						t.Errorf("%d pods, %v", got, err)
					}
				})
			})
		}
	}
}

// Pages are requested ahead, as many as the buffer has room for.
func TestPageBufferSize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{pods: 20}
		p := pager.New(s.list)
		p.PageSize, p.PageBufferSize = 1, 3
		first := true
		err := p.EachListItem(t.Context(), metav1.ListOptions{}, func(runtime.Object) error {
			if first {
				first = false
				synctest.Wait()
				// One is here, three are in the buffer, one waits for room.
				if len(s.requests) != 5 {
					t.Errorf("%d requests", len(s.requests))
				}
			}
			time.Sleep(time.Second)
			return nil
		})
		if err != nil || len(s.requests) != 20 {
			t.Errorf("%d requests, %v", len(s.requests), err)
		}
	})
	p := pager.New((&server{}).list)
	p.PageBufferSize = -1
	if err := p.EachListItem(t.Context(), metav1.ListOptions{}, nil); err == nil {
		t.Error("a negative size is no error")
	}
}
