package clientgo_test

import (
	"testing"

	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/runtime/cache"
)

// With the line, what the module converts are the same types: no conversion is written here.
func TestSameTypes(t *testing.T) {
	var theirInformer theirs.SharedIndexInformer = cache.NewSharedIndexInformer(&cache.ListWatch{}, nil, 0, cache.Indexers{})
	var informer cache.SharedIndexInformer = theirInformer
	if from := clientgo.FromInformer(informer); from == nil {
		t.Error("no informer")
	}
	if to := clientgo.ToInformer(theirInformer); to == nil {
		t.Error("no informer")
	}
	var config = clientgo.ToConfig(clientgo.FromConfig(nil))
	if config != nil {
		t.Errorf("config %v", config)
	}
}
