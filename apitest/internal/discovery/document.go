package discovery

import (
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/endpoints/discovery"
	"k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
)

var (
	// legacyCodecs know the kinds of the legacy form, and Status.
	legacyCodecs = codecs(func(s *runtime.Scheme) error {
		v1 := schema.GroupVersion{Version: "v1"}
		metav1.AddToGroupVersion(s, v1)
		s.AddUnversionedTypes(v1, &metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroupList{},
			&metav1.APIGroup{}, &metav1.APIResourceList{})
		return nil
	})
	aggregatedCodecs = codecs(apidiscovery.AddToScheme)
)

func codecs(add func(*runtime.Scheme) error) serializer.CodecFactory {
	scheme := runtime.NewScheme()
	utilruntime.Must(add(scheme))
	return serializer.NewCodecFactory(scheme)
}

// document describes the resources of all sources at one moment. It is never modified.
type document struct {
	groups  []*apidiscovery.APIGroupDiscovery // the first is group ""
	storage func(schema.GroupResource) schema.GroupVersion

	named      http.Handler // /apis
	kubernetes http.Handler // handles paths below Kubernetes' own groups
}

// newDocument reads the sources. address is the server's own.
func newDocument(sources []Source, address string) *document {
	doc := &document{groups: merge(sources)}
	doc.storage = func(gr schema.GroupResource) schema.GroupVersion {
		return storageVersion(sources, doc.group(gr.Group), gr)
	}
	doc.named = aggregated.WrapAggregatedDiscoveryToHandler(doc.groupList(), aggregate(doc.groups[1:]), nil)
	doc.kubernetes = doc.container(address)
	return doc
}

// handler returns the handler of a path, or nil.
func (d *document) handler(path string) http.Handler {
	switch path {
	case "/apis":
		return d.named
	case "/apis/":
		return d.groupList() // it is not aggregated
	}
	if path == "/api" || strings.HasPrefix(path, "/api/") {
		return d.kubernetes
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) < 2 || parts[0] != "apis" || parts[1] == "" {
		return nil
	}
	group := d.group(parts[1])
	switch {
	case group == nil || strings.HasPrefix(path, "//"):
		return nil
	case len(parts) == 2:
		return discovery.NewAPIGroupHandler(legacyCodecs, legacyGroup(group))
	case ours(group):
		return d.kubernetes
	case len(parts) == 3:
		if version := versionOf(group, parts[2]); version != nil {
			return d.resourceList(group, version)
		}
	}
	return nil
}

func (d *document) group(name string) *apidiscovery.APIGroupDiscovery {
	for _, group := range d.groups {
		if group.Name == name {
			return group
		}
	}
	return nil
}

func versionOf(group *apidiscovery.APIGroupDiscovery, name string) *apidiscovery.APIVersionDiscovery {
	for i := range group.Versions {
		if group.Versions[i].Version == name {
			return &group.Versions[i]
		}
	}
	return nil
}

// aggregate returns the handler of the aggregated form of some groups.
func aggregate(groups []*apidiscovery.APIGroupDiscovery) http.Handler {
	list := &apidiscovery.APIGroupDiscoveryList{Items: []apidiscovery.APIGroupDiscovery{}}
	for _, group := range groups {
		list.Items = append(list.Items, *group)
	}
	tag := sync.OnceValues(func() (string, error) {
		data, err := json.Marshal(list)
		return fmt.Sprintf("%X", sha512.Sum512(data)), err
	})
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		tag, err := tag()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		answer := *list // because encoding sets its kind temporarily
		aggregated.ServeHTTPWithETag(&answer, tag, apidiscovery.SchemeGroupVersion, aggregatedCodecs, w, req)
	})
}
