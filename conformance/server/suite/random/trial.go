package random

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

// Servers are two servers with the same objects.
type Servers struct {
	Real, Other suite.Target
	// versions and uids are those of the objects, on each server.
	versions, uids map[*Object][2]string
}

// A Write is a request for both servers.
type Write struct {
	Method, Path string
	Object       *Object
	Body         map[string]any
	Versioned    bool   // the body gets the object's resource version
	Query        string // dryRun, unless the write prepares others
}

// Both sends a write to both servers, and returns the two responses. That of a server which panics has no status.
func (s *Servers) Both(ctx context.Context, w Write) ([2]suite.Response, error) {
	var responses [2]suite.Response
	var errs [2]error
	var both sync.WaitGroup
	for i, target := range []suite.Target{s.Real, s.Other} {
		body := clone(w.Body).(map[string]any)
		if metadata, ok := body["metadata"].(map[string]any); ok && w.Versioned {
			metadata["resourceVersion"] = s.versions[w.Object][i]
		}
		both.Go(func() {
			var data []byte
			if data, errs[i] = json.Marshal(body); errs[i] == nil {
				if uids, ok := s.uids[w.Object]; ok { // which jobs have in their selectors
					data = bytes.ReplaceAll(data, []byte(uids[0]), []byte(uids[i]))
				}
				responses[i], errs[i] = target.Do(ctx, suite.Request{Method: w.Method, Path: w.Path, Query: w.Query, Body: data})
			}
			if errs[i] != nil && strings.Contains(errs[i].Error(), "INTERNAL_ERROR") {
				responses[i], errs[i] = suite.Response{}, nil
			}
		})
	}
	both.Wait()
	for _, err := range errs {
		if err != nil {
			return responses, err
		}
	}
	return responses, nil
}

// Create creates the objects on both servers, and their status. Both must accept them; what they made of them becomes
// the value of the object.
func (s *Servers) Create(ctx context.Context, objects []*Object) error {
	s.versions, s.uids = map[*Object][2]string{}, map[*Object][2]string{}
	for _, object := range objects {
		responses, err := s.Both(ctx, Write{Method: http.MethodPost, Path: object.Collection, Object: object, Body: object.Value})
		if err != nil {
			return err
		}
		status := object.Value["status"]
		if err = s.keep(object, responses, http.StatusCreated); err != nil {
			return err
		}
		if status == nil {
			continue
		}
		object.Value["status"] = status
		responses, err = s.Both(ctx, Write{Method: http.MethodPut, Path: object.Collection + "/" + object.Name() + "/status",
			Object: object, Body: object.Value, Versioned: true})
		if err != nil {
			return err
		}
		if err = s.keep(object, responses, http.StatusOK); err != nil {
			return err
		}
	}
	return nil
}

// keep makes what the real server answered the value of an object.
func (s *Servers) keep(object *Object, responses [2]suite.Response, code int) error {
	want, got := Answer(responses[0]), Answer(responses[1])
	if responses[0].Status != code || want != got {
		return fmt.Errorf("%s %s: the real server answers\n%s\nthe other\n%s", object.Kind(), object.Name(), want, got)
	}
	var versions, uids [2]string
	for i := range responses {
		object.Value = nil
		if err := json.Unmarshal(responses[1-i].Body, &object.Value); err != nil {
			return err
		}
		versions[1-i] = field(object.Value, "metadata", "resourceVersion")
		uids[1-i] = field(object.Value, "metadata", "uid")
	}
	s.versions[object], s.uids[object] = versions, uids
	metadata, _ := object.Value["metadata"].(map[string]any)
	for _, name := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"} {
		delete(metadata, name)
	}
	return nil
}

// Trial is a random write.
type Trial struct {
	Write
	What string // what was changed
}

// NewTrial returns the trial of a number.
func NewTrial(seed, number uint64, objects []*Object, values Values) *Trial {
	r := rand.New(rand.NewPCG(seed, number))
	object := pick(r, objects)
	t := &Trial{Write: Write{Object: object, Body: clone(object.Value).(map[string]any), Query: "dryRun=All"}}
	under := ""
	switch name := object.Name(); r.IntN(5) {
	case 0, 1:
		t.Method, t.Path, t.Body = http.MethodPost, object.Collection, clone(object.New).(map[string]any)
		if metadata, ok := t.Body["metadata"].(map[string]any); ok && object.Kind() != "CustomResourceDefinition" {
			metadata["name"] = name + "-2"
		}
		if spec, ok := t.Body["spec"].(map[string]any); ok && object.Kind() == "Service" { // these are in use
			for _, name := range []string{"clusterIP", "healthCheckNodePort"} {
				delete(spec, name)
			}
		}
		delete(t.Body, "status")
	case 2:
		if t.Body["status"] != nil {
			t.Method, t.Path, t.Versioned, under = http.MethodPut, object.Collection+"/"+name+"/status", true, ".status"
			break
		}
		fallthrough
	default:
		t.Method, t.Path, t.Versioned = http.MethodPut, object.Collection+"/"+name, true
	}
	for i := range 1 + r.IntN(2) {
		if i > 0 {
			t.What += "; "
		}
		t.What += values.Mutate(r, t.Body, object.Type, under)
	}
	return t
}
