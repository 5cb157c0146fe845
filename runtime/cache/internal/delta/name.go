package delta

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// Name identifies an object of a resource. It has the fields of cache.ObjectName, so that one
// converts to the other at no cost.
type Name struct {
	Namespace string // empty for cluster-scoped objects
	Name      string
}

// Namer returns the name by which a queue or store knows an object.
type Namer func(obj any) (Name, error)

// NameOf returns the name in an object's metadata.
func NameOf(obj metav1.Object) Name {
	return Name{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

// NameOfKey is the inverse of [Name.String] for any key: it splits at the first slash, unless
// nothing precedes it.
func NameOfKey(key string) Name {
	if i := strings.IndexByte(key, '/'); i > 0 {
		return Name{Namespace: key[:i], Name: key[i+1:]}
	}
	return Name{Name: key}
}

// String returns the name as a key: namespace/name, or the name alone without a namespace.
func (n Name) String() string {
	if n.Namespace == "" {
		return n.Name
	}
	return n.Namespace + "/" + n.Name
}

// KeyBuffer is a buffer for looking up a key; most keys fit.
type KeyBuffer [128]byte

// AppendKey appends the result of String.
func (n Name) AppendKey(b []byte) []byte {
	if n.Namespace != "" {
		b = append(append(b, n.Namespace...), '/')
	}
	return append(b, n.Name...)
}

// Precedes reports whether n's key sorts before other's.
func (n Name) Precedes(other Name) bool {
	if n.Namespace == other.Namespace {
		return n.Name < other.Name
	}
	return n.Namespace+"/" < other.Namespace+"/"
}

// MetadataOf returns obj's metadata, nil if it has none.
func MetadataOf(obj any) metav1.Object {
	if m, ok := obj.(metav1.Object); ok {
		return m
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil
	}
	return m
}

// NamespaceOf returns obj's namespace, also if it is packed, and whether it has metadata.
func NamespaceOf(obj any) (namespace string, ok bool) {
	if packed, ok := obj.(*packing.Object); ok {
		return packed.GetNamespace(), true
	}
	m := MetadataOf(obj)
	if m == nil {
		return "", false
	}
	return m.GetNamespace(), true
}

// VersionOf returns obj's resource version, empty if it has none.
func VersionOf(obj any) string {
	if m := MetadataOf(obj); m != nil {
		return m.GetResourceVersion()
	}
	return ""
}

// IsPointer reports whether v is a pointer.
func IsPointer(v any) bool { return v != nil && reflect.TypeOf(v).Kind() == reflect.Pointer }
