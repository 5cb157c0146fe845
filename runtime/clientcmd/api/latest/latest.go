// Package latest contains the codec of kubeconfig files, as client-go's tools/clientcmd/api/latest does.
//
// Codec decodes YAML or JSON of version v1 into an api.Config and encodes an api.Config as YAML of version v1.
// Its errors may quote the input; those of clientcmd.Load do not.
package latest

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	v1 "github.com/listwatch/listwatch/runtime/clientcmd/api/v1"
)

// The versions of kubeconfig files.
const (
	// Version is the version that is written.
	Version = "v1"
	// OldestVersion is the oldest version that can be read.
	OldestVersion = "v1"
)

// ExternalVersion is the version that is written.
var ExternalVersion = schema.GroupVersion{Version: Version}

// Versions are the versions that can be read, oldest first.
var Versions = []string{Version}

// Scheme contains api.Config and v1.Config, with the conversions between them.
var Scheme = newScheme()

// Codec reads and writes kubeconfig files as api.Config. It is safe for concurrent use.
var Codec = newCodec(Scheme)

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(api.AddToScheme(scheme))
	utilruntime.Must(v1.AddToScheme(scheme))
	return scheme
}

func newCodec(scheme *runtime.Scheme) runtime.Codec {
	yaml := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true})
	return versioning.NewDefaultingCodecForScheme(scheme, yaml, yaml, ExternalVersion, runtime.InternalGroupVersioner)
}
