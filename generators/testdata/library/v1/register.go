package v1

import "k8s.io/apimachinery/pkg/runtime/schema"

// SchemeGroupVersion is the group and version of the types.
var SchemeGroupVersion = schema.GroupVersion{Group: "library.example.com", Version: "v1"}
