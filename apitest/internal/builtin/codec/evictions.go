package codec

import (
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// convertEviction converts an eviction of version v1beta1, which old clients send, and reports whether it did.
func convertEviction(in, out any) bool {
	from, ok := in.(*policyv1beta1.Eviction)
	if !ok {
		return false
	}
	to, ok := out.(*policyv1.Eviction)
	if ok {
		to.ObjectMeta, to.DeleteOptions = from.ObjectMeta, from.DeleteOptions
	}
	return ok
}

// evictionInVersion returns an eviction of version v1beta1 in a version, and false if this is not v1.
func evictionInVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, bool) {
	out := &policyv1.Eviction{}
	if !convertEviction(in, out) {
		return nil, false
	}
	want, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{policyv1.SchemeGroupVersion.WithKind("Eviction")})
	if !ok || want.Version != policyv1.SchemeGroupVersion.Version {
		return nil, false
	}
	out.SetGroupVersionKind(want)
	return out, true
}
