package column

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

// FakeName is the name of the target with generated fake clientsets.
const FakeName = "fake"

// Fake is the target with generated fake clientsets. It serves one case.
type Fake struct {
	tally
	sets               pair
	kubernetes, custom any

	mu    sync.Mutex // guards the fields below
	last  string     // the last read, and its response
	again int        // how often it was repeated
}

// NewFake returns a target without objects.
func NewFake() (*Fake, error) {
	p, err := sets()
	if err != nil {
		return nil, err
	}
	return &Fake{sets: p, kubernetes: p.kubernetes.fake(), custom: p.custom.fake()}, nil
}

// Name implements suite.Target.
func (f *Fake) Name() string { return FakeName }

// Compact implements suite.Target.
func (f *Fake) Compact(context.Context) error {
	return fmt.Errorf("compact a fake: %w", suite.ErrUnsupported)
}

// Restart implements suite.Target.
func (f *Fake) Restart(context.Context) error {
	return fmt.Errorf("restart a fake: %w", suite.ErrUnsupported)
}

// Do implements suite.Target. A request that no call can send is an error, which ends the case,
// unless it only reads: then the response is empty.
func (f *Fake) Do(ctx context.Context, req suite.Request) (suite.Response, error) {
	if isSetup(req) && req.Path != namespaces {
		return defined(req), nil
	}
	asked, clientset, scheme, err := f.find(req)
	// The namespace of a case is no call of the case.
	if !isSetup(req) && f.count(err) && req.Method == http.MethodGet && req.User == "" {
		if err = f.waiting(req, unasked); err != nil {
			return suite.Response{}, fmt.Errorf("%w: %w", suite.ErrUnsupported, err)
		}
		return unasked, nil
	}
	if err != nil {
		return suite.Response{}, fmt.Errorf("%w: %w", suite.ErrUnsupported, err)
	}
	result := asked.Do(ctx, clientset)
	if result.Err != nil {
		return asked.refusal(result.Err)
	}
	res := suite.Response{Status: http.StatusOK, Header: http.Header{}}
	if req.Method == http.MethodPost {
		res.Status = http.StatusCreated
	}
	if result.Object == nil {
		return res, nil
	}
	if res.Body, err = asked.encode(scheme, result.Object); err != nil {
		return res, err
	}
	return res, f.waiting(req, res)
}

// namespaces is the path at which the runner creates the namespaces of cases.
const namespaces = "/api/v1/namespaces"

// defined responds to the runner, which creates a CRD and waits until its resource is served: a
// fake has all resources.
func defined(req suite.Request) suite.Response {
	if req.Method == http.MethodPost {
		return suite.Response{Status: http.StatusCreated, Body: req.Body}
	}
	return suite.Response{
		Status: http.StatusOK, Body: []byte(`{"status":{"conditions":[{"type":"Established","status":"True"}]}}`),
	}
}

// patience is the maximum number of repetitions of a read. Scripts repeat it until something
// happens in the background, which is never the case here.
const patience = 20

// waiting returns an error when a read is repeated in vain.
func (f *Fake) waiting(req suite.Request, res suite.Response) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	exchange := fmt.Sprintf("%s %s?%s %s", req.Method, req.Path, req.Query, res.Body)
	if req.Method != http.MethodGet || exchange != f.last {
		f.last, f.again = exchange, 0
		return nil
	}
	if f.again++; f.again > patience {
		return fmt.Errorf("waited in vain for a change in the background: %s", res.Body)
	}
	return nil
}

// Watch implements suite.Target.
func (f *Fake) Watch(ctx context.Context, req suite.Request) (suite.Response, suite.Stream, error) {
	asked, clientset, scheme, err := f.find(req)
	f.count(err)
	if err != nil {
		return suite.Response{}, nil, fmt.Errorf("%w: %w", suite.ErrUnsupported, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	result := asked.Do(ctx, clientset)
	if result.Err != nil {
		defer cancel()
		refused, err := asked.refusal(result.Err)
		return refused, nil, err
	}
	return suite.Response{Status: http.StatusOK, Header: http.Header{}}, newStream(asked, scheme, result.Watch, cancel), nil
}

func (f *Fake) find(req suite.Request) (found, any, *runtime.Scheme, error) {
	if req.User != "" {
		return found{}, nil, nil, errUsers
	}
	call, err := f.sets.find(req)
	if call.custom {
		return call, f.custom, f.sets.custom.scheme, err
	}
	return call, f.kubernetes, f.sets.kubernetes.scheme, err
}
