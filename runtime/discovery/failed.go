package discovery

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ErrGroupDiscoveryFailed says that group versions are missing in what was returned
// beside it.
type ErrGroupDiscoveryFailed struct {
	// Groups are the group versions that are missing, each with the reason.
	Groups map[schema.GroupVersion]error
}

// Error lists the group versions, sorted, with their reasons.
func (e *ErrGroupDiscoveryFailed) Error() string {
	var groups []string
	for gv, err := range e.Groups {
		groups = append(groups, fmt.Sprintf("%s: %v", gv, err))
	}
	slices.Sort(groups)
	return "unable to retrieve the complete list of server APIs: " + strings.Join(groups, ", ")
}

// Is makes errors.Is true for any other ErrGroupDiscoveryFailed, whatever groups
// it lists. It does not hold for the reasons in Groups: that one group version was
// not found does not make all of discovery "not found".
func (e *ErrGroupDiscoveryFailed) Is(target error) bool {
	_, ok := target.(*ErrGroupDiscoveryFailed)
	return ok
}

// IsGroupDiscoveryFailedError tells whether err is, or wraps, an
// [ErrGroupDiscoveryFailed].
func IsGroupDiscoveryFailedError(err error) bool {
	_, ok := GroupDiscoveryFailedErrorGroups(err)
	return ok
}

// GroupDiscoveryFailedErrorGroups returns the group versions of an error that is,
// or wraps, an [ErrGroupDiscoveryFailed]; they belong to the error.
func GroupDiscoveryFailedErrorGroups(err error) (map[schema.GroupVersion]error, bool) {
	var failed *ErrGroupDiscoveryFailed
	if !errors.As(err, &failed) {
		return nil, false
	}
	return failed.Groups, true
}
