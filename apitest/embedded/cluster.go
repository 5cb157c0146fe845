package embedded

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"path"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Cluster is the server as its controllers see it. Its writes have all permissions, pass admission, and are not
// waited for by anybody. It is for the goroutine that calls [Controller.Reconcile].
type Cluster struct {
	// Clients send requests to the server in memory, as the user admin.
	Clients kubernetes.Interface
	// CA are the authorities that verify the server, in PEM; nil with [WithPlainHTTP].
	CA []byte

	loopback *loopback
	backend  *store.Backend
	served   map[schema.GroupResource]servedResource // found so far
}

// Change is an object after a write.
type Change struct {
	// Resource is in a version that is served.
	Resource schema.GroupVersionResource
	// Object contains the metadata of the object; of a deleted one, its last.
	Object *metav1.PartialObjectMetadata
	// Deleted reports that the object does not exist any more.
	Deleted bool
}

// servedResource is a resource in the version that clients prefer.
type servedResource struct {
	version string
	apidiscovery.APIResourceDiscovery
}

func newCluster(l *loopback, backend *store.Backend, ca []byte) (*Cluster, error) {
	c := &Cluster{CA: ca, loopback: l, backend: backend, served: map[schema.GroupResource]servedResource{}}
	var err error
	c.Clients, err = kubernetes.NewForConfig(&clientgo.Config{
		Host:      "http://localhost",
		Transport: l,
		UserAgent: "kube-controller-manager",
		QPS:       -1,
		ContentConfig: clientgo.ContentConfig{
			ContentType: runtime.ContentTypeJSON,
		},
	})
	return c, err
}

// Find returns an object that a reference of another object names, or nil if it does not exist. The namespace is
// that of the other object. An error reports that the server does not serve the kind.
func (c *Cluster) Find(ctx context.Context, ref metav1.OwnerReference, namespace string) (*Change, error) {
	gvk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	loader := &loader{loopback: c.loopback}
	resource, ok := loader.resource(gvk)
	if !ok {
		return nil, apierrors.NewNotFound(schema.GroupResource{Group: gvk.Group, Resource: gvk.Kind}, "")
	}
	if resource.Scope == apidiscovery.ScopeNamespace && namespace == "" {
		return nil, apierrors.NewBadRequest("an object without a namespace refers to one in a namespace")
	}
	if resource.Scope != apidiscovery.ScopeNamespace {
		namespace = ""
	}
	change := &Change{Resource: gvk.GroupVersion().WithResource(resource.Resource)}
	body, err := c.loopback.do(ctx, http.MethodGet, objectPath(change.Resource, namespace, ref.Name), nil)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	change.Object = &metav1.PartialObjectMetadata{}
	return change, json.Unmarshal(body, change.Object)
}

// Referring returns the objects that have an owner with a UID.
func (c *Cluster) Referring(uid types.UID) []Change {
	text := []byte(uid)
	if len(text) == 0 {
		return nil
	}
	var found []Change
	for _, change := range c.changes(c.backend.Find(func(_ string, value []byte) bool { return bytes.Contains(value, text) })) {
		for _, owner := range change.Object.OwnerReferences {
			if owner.UID == uid {
				found = append(found, change)
				break
			}
		}
	}
	return found
}

// Within returns the objects in a namespace.
func (c *Cluster) Within(namespace string) []Change {
	part := "/" + namespace + "/"
	var found []Change
	for _, change := range c.changes(c.backend.Find(func(key string, _ []byte) bool { return strings.Contains(key, part) })) {
		if change.Object.Namespace == namespace {
			found = append(found, change)
		}
	}
	return found
}

// Delete deletes an object.
func (c *Cluster) Delete(ctx context.Context, object Change, options metav1.DeleteOptions) error {
	options.Kind, options.APIVersion = "DeleteOptions", "v1"
	body, err := json.Marshal(options)
	if err != nil {
		return err
	}
	_, err = c.loopback.do(ctx, http.MethodDelete, object.path(), body)
	return err
}

// Update changes the finalizers and the owners of an object to those given, unless it was written since.
func (c *Cluster) Update(ctx context.Context, object Change, finalizers []string, owners []metav1.OwnerReference) error {
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": object.Object.UID, "resourceVersion": object.Object.ResourceVersion,
		"finalizers": finalizers, "ownerReferences": owners,
	}})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPatch, "http://localhost"+object.path(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", string(types.MergePatchType))
	req.Header.Set("Accept", runtime.ContentTypeJSON)
	response, err := c.loopback.RoundTrip(req)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode < http.StatusMultipleChoices {
		return nil
	}
	status := metav1.Status{}
	if err := json.NewDecoder(response.Body).Decode(&status); err != nil {
		return err
	}
	return &apierrors.StatusError{ErrStatus: status}
}

// CheckTypes returns the warnings about expressions in the validations of a policy that fail for the objects which the
// policy concerns, because of the types of their fields.
func (c *Cluster) CheckTypes(ctx context.Context, policy *admissionv1.ValidatingAdmissionPolicy) []admissionv1.ExpressionWarning {
	return c.loopback.typeChecker(ctx).Warnings(policy)
}

// path returns the path of the object.
func (c Change) path() string { return objectPath(c.Resource, c.Object.Namespace, c.Object.Name) }

func objectPath(resource schema.GroupVersionResource, namespace, name string) string {
	root := path.Join("/apis", resource.Group, resource.Version)
	if resource.Group == "" {
		root = path.Join("/api", resource.Version)
	}
	if namespace != "" {
		root = path.Join(root, "namespaces", namespace)
	}
	return path.Join(root, resource.Resource, name)
}

// changes decodes the metadata of writes. It leaves out objects whose resource is not served.
func (c *Cluster) changes(writes []store.Written) []Change {
	var out []Change
	for _, w := range writes {
		group, resource := splitKey(w.Key)
		if group == apiextensionsGroup {
			clear(c.served)
		}
		served, ok := c.resource(schema.GroupResource{Group: group, Resource: resource})
		if !ok {
			continue
		}
		object, err := metadataOf(w.Value)
		if err != nil {
			continue
		}
		object.ResourceVersion = strconv.FormatUint(w.Version, 10)
		out = append(out, Change{
			Resource: schema.GroupVersionResource{Group: group, Version: served.version, Resource: resource},
			Object:   object,
			Deleted:  w.Deleted,
		})
	}
	return out
}

const apiextensionsGroup = "apiextensions.k8s.io"

// splitKey returns the group and the resource of a key of the store.
func splitKey(key string) (group, resource string) {
	parts := strings.Split(key, "/")
	if len(parts) < 3 {
		return "", ""
	}
	group, resource = parts[1], parts[2]
	if coreResources[group] {
		return "", group
	}
	resource, _, _ = strings.Cut(resource, ".") // the version, if it is stored separately
	return group, resource
}

// coreResources are the resources without a group; their keys begin with their name.
var coreResources = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`configmaps endpoints events limitranges namespaces nodes persistentvolumeclaims
		persistentvolumes pods podtemplates replicationcontrollers resourcequotas secrets serviceaccounts services`) {
		out[name] = true
	}
	return out
}()

// resource finds a resource that is served.
func (c *Cluster) resource(gr schema.GroupResource) (servedResource, bool) {
	if found, ok := c.served[gr]; ok {
		return found, true
	}
	for _, group := range c.loopback.discover.Groups() {
		for _, version := range group.Versions {
			for _, resource := range version.Resources {
				key := schema.GroupResource{Group: group.Name, Resource: resource.Resource}
				if _, ok := c.served[key]; !ok {
					c.served[key] = servedResource{version.Version, resource}
				}
			}
		}
	}
	found, ok := c.served[gr]
	return found, ok
}

// metadataOf decodes the metadata of an object in the form in which it is stored: JSON or protobuf.
func metadataOf(value []byte) (*metav1.PartialObjectMetadata, error) {
	object := &metav1.PartialObjectMetadata{}
	raw, isProtobuf := bytes.CutPrefix(value, []byte("k8s\x00"))
	if !isProtobuf {
		return object, json.Unmarshal(value, object)
	}
	unknown := &runtime.Unknown{}
	if err := unknown.Unmarshal(raw); err != nil {
		return nil, err
	}
	// In messages of API objects, metadata is field 1.
	if err := object.Unmarshal(unknown.Raw); err != nil {
		return nil, err
	}
	object.APIVersion, object.Kind = unknown.APIVersion, unknown.Kind
	return object, nil
}
