package schema

import (
	"slices"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/model"
)

// CheckClients warns about clients of a model whose requests a server with the model's CustomResourceDefinitions answers with
// "not found".
func CheckClients(api *model.API, diags *diag.List) {
	for _, p := range api.Packages {
		for _, crd := range p.CRDs {
			for _, at := range crd.Versions {
				if k := kindOf(api, crd, at); k != nil {
					checkClient(k, crd, at, diags)
				}
			}
		}
	}
}

// kindOf returns the kind with the client of a version of a definition, or nil if it has none.
func kindOf(api *model.API, crd *model.CRD, at *model.CRDVersion) *model.Kind {
	for _, v := range api.Versions() {
		if v.Group.Name != crd.Group || v.Name != at.Name {
			continue
		}
		if i := slices.IndexFunc(v.Kinds, func(k *model.Kind) bool { return k.Name == crd.Kind && k.Pos == at.Pos }); i >= 0 {
			return v.Kinds[i]
		}
	}
	return nil
}

// checkClient compares the client of a kind with its definition.
func checkClient(k *model.Kind, crd *model.CRD, at *model.CRDVersion, diags *diag.List) {
	cluster := crd.Scope == "Cluster"
	switch {
	case cluster && k.Namespaced:
		diags.Warnf(k.Pos, "client of %s is for objects in namespaces, but its CRD has scope Cluster, so requests fail; add +genclient:nonNamespaced", k.Name)
	case !cluster && !k.Namespaced:
		diags.Warnf(k.Pos, "client of %s is for objects in no namespace, but its CRD has scope Namespaced, so requests fail; add scope=Cluster to +kubebuilder:resource, or remove +genclient:nonNamespaced", k.Name)
	}
	if k.Resource != crd.Plural {
		diags.Warnf(k.Pos, "client of %s requests %q, but its CRD has the plural %q, so requests fail; add path=%s to +kubebuilder:resource, or +resourceName=%s", k.Name, k.Resource, crd.Plural, k.Resource, crd.Plural)
	}
	if !at.Status && (k.Has("updateStatus") || k.Has("applyStatus")) {
		diags.Warnf(k.Pos, "client of %s has methods for the status, but its CRD has no such subresource, so their requests fail; add +kubebuilder:subresource:status, or +genclient:noStatus", k.Name)
	}
}
