// Package openapi3 decodes the OpenAPI v3 documents of a server, one for each group and version.
package openapi3

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/spec3"

	"k8s.io/client-go/openapi"
)

// Root gives access to the documents of a server.
type Root interface {
	// GroupVersions returns the groups and versions with a document, sorted.
	GroupVersions() ([]schema.GroupVersion, error)
	// GVSpec returns the document of a group and version. A [GroupVersionNotFoundError] reports that there is none.
	GVSpec(gv schema.GroupVersion) (*spec3.OpenAPI, error)
	// GVSpecAsMap is GVSpec without types.
	GVSpecAsMap(gv schema.GroupVersion) (map[string]any, error)
}

// NewRoot returns the documents that a client requests. Nothing is cached, unless the client does so.
func NewRoot(client openapi.Client) Root { return root{client} }

type root struct{ client openapi.Client }

func (r root) GroupVersions() ([]schema.GroupVersion, error) {
	paths, err := r.client.Paths()
	if err != nil {
		return nil, err
	}
	gvs := make([]schema.GroupVersion, 0, len(paths))
	for path := range paths {
		// Others are not of groups, such as "version".
		if gv, err := pathToGroupVersion(path); err == nil {
			gvs = append(gvs, gv)
		}
	}
	slices.SortFunc(gvs, func(a, b schema.GroupVersion) int { return cmp.Compare(a.String(), b.String()) })
	return gvs, nil
}

func (r root) GVSpec(gv schema.GroupVersion) (*spec3.OpenAPI, error) {
	var document spec3.OpenAPI
	if err := r.decode(gv, &document); err != nil {
		return nil, err
	}
	return &document, nil
}

func (r root) GVSpecAsMap(gv schema.GroupVersion) (map[string]any, error) {
	var document map[string]any
	err := r.decode(gv, &document)
	return document, err
}

// decode requests a document and decodes it.
func (r root) decode(gv schema.GroupVersion, into any) error {
	paths, err := r.client.Paths()
	if err != nil {
		return err
	}
	document, ok := paths[gvToAPIPath(gv)]
	if !ok {
		return &GroupVersionNotFoundError{gv}
	}
	text, err := document.Schema(runtime.ContentTypeJSON)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// gvToAPIPath returns the path of a group and version below the server's documents.
func gvToAPIPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api/" + gv.Version
	}
	return "apis/" + gv.Group + "/" + gv.Version
}

// pathToGroupVersion returns the group and version with a path.
func pathToGroupVersion(path string) (schema.GroupVersion, error) {
	switch parts := strings.Split(path, "/"); {
	case parts[0] == "apis" && len(parts) == 2:
		return schema.GroupVersion{}, fmt.Errorf("path %s has a group without a version", path)
	case parts[0] == "apis" && len(parts) > 2:
		return schema.GroupVersion{Group: parts[1], Version: parts[2]}, nil
	case parts[0] == "api" && len(parts) > 1:
		return schema.GroupVersion{Version: parts[1]}, nil
	default:
		return schema.GroupVersion{}, fmt.Errorf("path %s is not of a group and version", path)
	}
}

// GroupVersionNotFoundError reports that a server has no document of a group and version.
type GroupVersionNotFoundError struct{ gv schema.GroupVersion }

func (r *GroupVersionNotFoundError) Error() string {
	return fmt.Sprintf("GroupVersion (%v) not found as OpenAPI V3 path", r.gv)
}
