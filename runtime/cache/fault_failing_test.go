package cache_test

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// failingSource is a source that can be made to fail.
type failingSource struct {
	*cachetesting.FakeControllerSource

	mu  sync.Mutex // guards err
	err error
}

// fail makes lists and watches fail from now on, or no longer if err is nil.
func (s *failingSource) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *failingSource) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *failingSource) List(options metav1.ListOptions) (runtime.Object, error) {
	if err := s.failure(); err != nil {
		return nil, err
	}
	return s.FakeControllerSource.List(options)
}

func (s *failingSource) Watch(options metav1.ListOptions) (watch.Interface, error) {
	if err := s.failure(); err != nil {
		return nil, err
	}
	return s.FakeControllerSource.Watch(options)
}
