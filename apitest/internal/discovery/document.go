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

// document is what the sources have at one moment. It does not change.
type document struct {
	groups  []*apidiscovery.APIGroupDiscovery // the first is group ""
	storage func(schema.GroupResource) string

	core, named http.Handler // the aggregated form of /api and of /apis
}

func newDocument(sources []Source) *document {
	doc := &document{groups: merge(sources)}
	doc.storage = func(gr schema.GroupResource) string { return storageVersion(sources, doc.group(gr.Group), gr) }
	doc.core = aggregate(doc.groups[:1])
	doc.named = aggregate(doc.groups[1:])
	return doc
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
		aggregated.ServeHTTPWithETag(list, tag, apidiscovery.SchemeGroupVersion, aggregatedCodecs, w, req)
	})
}

// handler returns the handler of /root/rest, or nil. Address is the server's own.
func (d *document) handler(root, rest, address string) http.Handler {
	switch {
	case root == "api" && rest == "":
		addresses := discovery.DefaultAddresses{DefaultAddress: address}
		legacy := discovery.NewLegacyRootAPIHandler(addresses, legacyCodecs, "/api")
		return onlyGet(aggregated.WrapAggregatedDiscoveryToHandler(legacy, d.core, nil))
	case root == "api":
		return d.version(schema.GroupVersion{Version: rest})
	case rest == "":
		return aggregated.WrapAggregatedDiscoveryToHandler(d.groupList(), d.named, nil)
	}
	name, version, versioned := strings.Cut(rest, "/")
	group := d.group(name)
	if group == nil || name == "" {
		return nil
	}
	if versioned {
		return d.version(schema.GroupVersion{Group: name, Version: version})
	}
	return discovery.NewAPIGroupHandler(legacyCodecs, legacyGroup(group))
}

func (d *document) group(name string) *apidiscovery.APIGroupDiscovery {
	for _, group := range d.groups {
		if group.Name == name {
			return group
		}
	}
	return nil
}
