package register

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// Declare adds to the versions of a model what their packages declare about their group. Plans are the registrations
// that are generated, by this run or another one: what these declare is not missing. Clients also need AddToScheme.
func Declare(api *model.API, packages []*load.Package, plans map[string]*model.Register, clients bool, diags *diag.List) {
	for _, v := range api.Versions() {
		if v.Viewed {
			continue // nothing of the package is used
		}
		i := slices.IndexFunc(packages, func(p *load.Package) bool { return p.Path == v.Types.Path })
		declare(v, packages[i], plans[v.Types.Path] != nil, clients, diags)
	}
}

// declare adds the declarations of a package to its version.
func declare(v *model.Version, p *load.Package, generated, clients bool, diags *diag.List) {
	v.GroupVersionVar = "SchemeGroupVersion"
	v.HasResource = p.Declares("Resource") || generated
	if !generated && !p.Declares("SchemeGroupVersion") && p.Declares("GroupVersion") {
		v.GroupVersionVar = "GroupVersion"
	}
	var missing []string
	if !generated && !p.Declares(v.GroupVersionVar) {
		missing = append(missing, "variable "+v.GroupVersionVar)
	}
	if clients && !generated && !p.Declares("AddToScheme") {
		missing = append(missing, "function AddToScheme")
	}
	if len(missing) == 0 || len(v.Kinds) == 0 {
		return
	}
	diags.Suspectf(v.Pos, "package %s does not declare %s, which generated code uses; declare it as register.go of Kubernetes API packages does, or add +k8s:register-gen=package to doc.go to have gen-all or gen-register generate it; or exclude the package with --exclude=%s",
		p.Path, strings.Join(missing, " and "), p.Path)
}
