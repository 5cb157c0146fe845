// Package watchlist decides which lists can be requested as a watch (WatchList, KEP-3157).
package watchlist

import (
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"k8s.io/client-go/features"
)

var scheme = runtime.NewScheme()

func init() {
	utilruntime.Must(internalversion.AddToScheme(scheme))
}

// PrepareWatchListOptionsFromListOptions returns the options of a watch that sends what a list with listOptions would
// return, and whether there is one: not if the feature [features.WatchListClient] is off, the options are invalid, or
// the list is for one exact version or for a page.
func PrepareWatchListOptionsFromListOptions(listOptions metav1.ListOptions) (metav1.ListOptions, bool, error) {
	if !features.FeatureGates().Enabled(features.WatchListClient) {
		return metav1.ListOptions{}, false, nil
	}
	// A server ignores the limit of a list from its cache.
	isPage := listOptions.Limit > 0 && listOptions.ResourceVersion != "0"
	if isPage || listOptions.ResourceVersionMatch == metav1.ResourceVersionMatchExact {
		return metav1.ListOptions{}, false, nil
	}
	if ok, err := isValid(listOptions); !ok || err != nil {
		return metav1.ListOptions{}, false, err
	}
	sendInitialEvents := true
	options := listOptions
	options.Limit = 0
	options.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	options.Watch = true
	options.AllowWatchBookmarks = true
	options.SendInitialEvents = &sendInitialEvents
	if ok, err := isValid(options); !ok || err != nil {
		return metav1.ListOptions{}, false, err
	}
	return options, true, nil
}

// isValid reports whether a server accepts options.
func isValid(options metav1.ListOptions) (bool, error) {
	internal := &internalversion.ListOptions{}
	if err := scheme.Convert(&options, internal, nil); err != nil {
		return false, err
	}
	return len(validation.ValidateListOptions(internal, true)) == 0, nil
}

// DoesClientNotSupportWatchListSemantics reports whether client has a method IsWatchListSemanticsUnSupported that
// returns true, as those of fakes do.
func DoesClientNotSupportWatchListSemantics(client any) bool {
	c, ok := client.(interface{ IsWatchListSemanticsUnSupported() bool })
	return ok && c.IsWatchListSemanticsUnSupported()
}
