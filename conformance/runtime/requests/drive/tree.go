package drive

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/testing"
)

// Patience is how long a scenario waits for an expected event.
const Patience = time.Minute

// Tree contains the constructors of one generated tree.
type Tree struct {
	// Interface is the interface of the clientset and of all its fakes.
	Interface reflect.Type
	// Versions are the methods of Interface whose clients are driven, such as AppsV1; nil for all.
	Versions []string
	// ByHand matches the methods of clients that only scenarios of More drive; nil for none.
	ByHand *regexp.Regexp
	// Client creates the clientset.
	Client func(*rest.Config) (any, error)
	// Scheme is the clientset's scheme.
	Scheme *runtime.Scheme
	// Fakes create fake clientsets.
	Fakes []Fake
	// Informers drives the tree's informers, see Informers.Drive; nil if it has none.
	Informers func(Tree, *Recorder) error
	// More contains scenarios beyond those that fit every tree.
	More func(Tree, *Recorder) error
}

// Fake is one constructor of a fake clientset.
type Fake struct {
	// Name is the name of the constructor.
	Name string
	New  func(...runtime.Object) testing.FakeClient
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
	parts := []func(Tree, *Recorder) error{Tree.driveClient, Tree.driveAnswers, Tree.driveRaw, Tree.driveFakes, Tree.driveLives, t.Informers, t.More}
	for _, part := range parts {
		if part == nil {
			continue
		}
		if err := part(t, r); err != nil {
			return err
		}
	}
	return nil
}

// drives reports whether the clients of a group and version are driven.
func (t Tree) drives(version string) bool {
	return t.Versions == nil || slices.Contains(t.Versions, version)
}

// Config returns a configuration for the server at url, without the clients' default rate limit.
func Config(url string) *rest.Config { return &rest.Config{Host: url, QPS: -1} }

// text returns v in JSON. A value that cannot be encoded is a bug of the driver.
func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("no JSON for %T: %v", v, err)
	}
	return string(data)
}
