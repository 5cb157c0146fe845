package disk

import (
	"fmt"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
)

const (
	groupsFile    = "servergroups.json"
	resourcesFile = "serverresources.json"
)

// resourcesName returns the name of the file for a group version such as "apps/v1". It is an error if its group
// is not a DNS subdomain or its version not a DNS label, as Kubernetes requires: the name comes from a server,
// and could lead elsewhere, or be the same as another where case does not count.
func resourcesName(groupVersion string) (string, error) {
	gv, err := schema.ParseGroupVersion(groupVersion)
	if err != nil {
		return "", err
	}
	if gv.String() != groupVersion { // "/v1" is read as "v1"
		return "", fmt.Errorf("invalid group version %q", groupVersion)
	}
	if reasons := validation.IsDNS1123Label(gv.Version); len(reasons) > 0 {
		return "", fmt.Errorf("invalid version %q: %s", gv.Version, reasons[0])
	}
	name := gv.Version + "/" + resourcesFile
	if gv.Group != "" {
		if reasons := validation.IsDNS1123Subdomain(gv.Group); len(reasons) > 0 {
			return "", fmt.Errorf("invalid group %q: %s", gv.Group, reasons[0])
		}
		name = gv.Group + "/" + name
	}
	// Some systems reserve names such as nul.
	if _, err := filepath.Localize(name); err != nil {
		return "", fmt.Errorf("group version %q cannot be the name of a file: %w", groupVersion, err)
	}
	return name, nil
}
