package clientcmd

import (
	"sync"

	listwatch "github.com/listwatch/listwatch/runtime/clientcmd"

	"k8s.io/client-go/tools/clientcmd/api"
)

// Programs assign to these variables, most of them in tests; the functions that use them see it.
var (
	// RecommendedHomeFile is the kubeconfig that is used if the environment names none.
	RecommendedHomeFile = listwatch.RecommendedHomeFile
	// UseModifyConfigLock makes ModifyConfig lock the files. It is true by default. Without locks, changes of
	// concurrent calls and of other processes may be lost.
	UseModifyConfigLock = listwatch.UseModifyConfigLock
)

var shared sync.Mutex

// share copies the variables to the runtime's, and returns with shared locked. The runtime's are written only when they
// differ, since others may read them.
func share() {
	shared.Lock()
	if listwatch.RecommendedHomeFile != RecommendedHomeFile {
		listwatch.RecommendedHomeFile = RecommendedHomeFile
	}
	if listwatch.UseModifyConfigLock != UseModifyConfigLock {
		listwatch.UseModifyConfigLock = UseModifyConfigLock
	}
}

// NewDefaultClientConfigLoadingRules returns rules for the files in the environment variable KUBECONFIG, or else
// for RecommendedHomeFile.
func NewDefaultClientConfigLoadingRules() *ClientConfigLoadingRules {
	share()
	defer shared.Unlock()
	return listwatch.NewDefaultClientConfigLoadingRules()
}

// NewDefaultPathOptions returns options for the files in KUBECONFIG, or else for RecommendedHomeFile.
func NewDefaultPathOptions() *PathOptions {
	share()
	defer shared.Unlock()
	return listwatch.NewDefaultPathOptions()
}

// ModifyConfig writes the differences between newConfig and the files' present contents to these files, as
// [listwatch.ModifyConfig] does.
func ModifyConfig(configAccess ConfigAccess, newConfig api.Config, relativizePaths bool) error {
	share()
	shared.Unlock() // not held while files are written
	return listwatch.ModifyConfig(configAccess, newConfig, relativizePaths)
}
