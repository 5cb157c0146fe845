package discovery

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ErrGroupDiscoveryFailed reports group versions that are missing in the accompanying result.
type ErrGroupDiscoveryFailed struct {
	// Groups contains the error of each missing group version.
	Groups map[schema.GroupVersion]error
}

// Error lists the group versions, sorted, with their errors.
func (e *ErrGroupDiscoveryFailed) Error() string {
	var groups []string
	for gv, err := range e.Groups {
		groups = append(groups, fmt.Sprintf("%s: %v", gv, err))
	}
	slices.Sort(groups)
	return "unable to retrieve the complete list of server APIs: " + strings.Join(groups, ", ")
}

// Is makes errors.Is true for any other ErrGroupDiscoveryFailed, regardless of its groups. It is not true for
// the errors in Groups: if one group version was not found, discovery as a whole is not "not found".
func (e *ErrGroupDiscoveryFailed) Is(target error) bool {
	_, ok := target.(*ErrGroupDiscoveryFailed)
	return ok
}

// IsGroupDiscoveryFailedError reports whether err is, or wraps, an [ErrGroupDiscoveryFailed].
func IsGroupDiscoveryFailedError(err error) bool {
	_, ok := GroupDiscoveryFailedErrorGroups(err)
	return ok
}

// GroupDiscoveryFailedErrorGroups returns the group versions of an error that is, or wraps, an
// [ErrGroupDiscoveryFailed]; the error owns the map.
func GroupDiscoveryFailedErrorGroups(err error) (map[schema.GroupVersion]error, bool) {
	var failed *ErrGroupDiscoveryFailed
	if !errors.As(err, &failed) {
		return nil, false
	}
	return failed.Groups, true
}
