package drive

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/conformance/requests/transcript"
)

// Tree are the constructors of one generated tree.
type Tree struct {
	// Interface is that of the clientset, and of all its fakes.
	Interface reflect.Type
	// Client makes the clientset.
	Client func(*rest.Config) (any, error)
	// Scheme is the clientset's scheme.
	Scheme *runtime.Scheme
	// Fakes make fake clientsets.
	Fakes []Fake
	// Factory makes a shared informer factory over a clientset, fake or not; nil
	// where the tree has none.
	Factory func(client any) Factory
	// ForResource calls the factory's method of that name.
	ForResource func(Factory, schema.GroupVersionResource) (GenericInformer, error)
	// More are scenarios beyond those that fit every tree.
	More func(*Recorder) error
}

// Fake is one constructor of a fake clientset.
type Fake struct {
	// Name is that of the constructor.
	Name string
	New  func(...runtime.Object) testing.FakeClient
}

// Factory is what the shared informer factories of all trees have in common.
type Factory interface {
	Start(stop <-chan struct{})
	StartWithContext(context.Context)
	Shutdown()
	WaitForCacheSync(stop <-chan struct{}) map[reflect.Type]bool
	WaitForCacheSyncWithContext(context.Context) cache.SyncResult
	InformerName() *cache.InformerName
}

// GenericInformer is what ForResource returns in all trees.
type GenericInformer interface {
	Informer() cache.SharedIndexInformer
	Lister() cache.GenericLister
}

// Write drives the tree and writes the transcript to w.
func (t Tree) Write(w io.Writer) error {
	r := &Recorder{}
	if err := t.drive(r); err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(r.calls)
}

func (t Tree) drive(r *Recorder) error {
	for _, part := range []func(*Recorder) error{t.driveClient, t.driveFakes, t.driveInformers, t.More} {
		if part == nil {
			continue
		}
		if err := part(r); err != nil {
			return err
		}
	}
	return nil
}

// Recorder collects calls.
type Recorder struct {
	calls []transcript.Call
}

// Record appends a call.
func (r *Recorder) Record(c transcript.Call) { r.calls = append(r.calls, c) }

// Config returns a configuration for the server at url, without the rate limit
// that clients set on their own.
func Config(url string) *rest.Config { return &rest.Config{Host: url, QPS: -1} }

// text returns v in JSON. Whatever JSON has no form for is a fault of the driver.
func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("no JSON for %T: %v", v, err)
	}
	return string(data)
}
