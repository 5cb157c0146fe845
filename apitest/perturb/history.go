package perturb

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// version is an object after a write.
type version struct {
	number   uint64
	resource string // with the group: deployments.apps
	object   *unstructured.Unstructured
	deleted  bool
}

// history records all versions of the objects of some resources.
type history struct {
	client *http.Client // an admin's
	root   string
	ctx    context.Context
	all    sync.WaitGroup

	mu       sync.Mutex // guards the rest
	watched  map[string]bool
	versions []version
	err      error // the first error of a watch
}

func newHistory(ctx context.Context, client *http.Client, root string) *history {
	return &history{client: client, root: root, ctx: ctx, watched: map[string]bool{}}
}

// collectionPath is the path of all objects of a resource.
func collectionPath(info *request.RequestInfo) string {
	if info.APIGroup == "" {
		return "/api/" + info.APIVersion + "/" + info.Resource
	}
	return "/apis/" + info.APIGroup + "/" + info.APIVersion + "/" + info.Resource
}

// follow begins to record a resource, unless it is recorded already. It returns when the watch is open, so that it
// misses no later write. Resources that cannot be watched are not recorded.
func (h *history) follow(info *request.RequestInfo) {
	resource := resourceName(info)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watched[resource] {
		return
	}
	h.watched[resource] = true
	req, err := http.NewRequestWithContext(h.ctx, http.MethodGet, h.root+collectionPath(info)+"?watch=1&resourceVersion=0&timeoutSeconds=1000000", http.NoBody)
	if err != nil {
		h.err = err
		return
	}
	resp, err := h.client.Do(req)
	if err != nil {
		h.err = err
		return
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close() // such as a review, which cannot be listed
		return
	}
	h.all.Go(func() { h.record(resource, resp.Body) })
}

// record reads a watch to its end.
func (h *history) record(resource string, body io.ReadCloser) {
	defer func() { _ = body.Close() }()
	frames := json.NewDecoder(body)
	for {
		var frame struct {
			Type   string
			Object *unstructured.Unstructured
		}
		err := frames.Decode(&frame)
		if h.ctx.Err() != nil {
			return
		}
		var v version
		if err == nil {
			v = version{resource: resource, object: frame.Object, deleted: frame.Type == "DELETED"}
			v.number, err = parseVersion(frame.Object.GetResourceVersion())
		}
		h.mu.Lock()
		if err != nil {
			h.err = fmt.Errorf("record the history of %s: %w", resource, err)
			h.mu.Unlock()
			return
		}
		h.versions = append(h.versions, v)
		h.mu.Unlock()
	}
}

// all returns the versions in their order.
func (h *history) ordered() ([]version, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	versions := slices.Clone(h.versions)
	slices.SortStableFunc(versions, func(a, b version) int {
		switch {
		case a.number < b.number:
			return -1
		case a.number > b.number:
			return 1
		}
		return 0
	})
	return versions, h.err
}

// current returns the newest version of the server.
func (h *history) current(info *request.RequestInfo) (uint64, error) {
	req, err := http.NewRequestWithContext(h.ctx, http.MethodGet, h.root+collectionPath(info)+"?limit=1", http.NoBody)
	if err != nil {
		return 0, err
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	var list unstructured.Unstructured
	if err := json.NewDecoder(resp.Body).Decode(&list.Object); err != nil {
		return 0, err
	}
	number, _, _ := unstructured.NestedString(list.Object, "metadata", "resourceVersion")
	return parseVersion(number)
}
