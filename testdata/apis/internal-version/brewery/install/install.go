// Package install registers all versions of the group.
package install

import (
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/listwatch/listwatch/testdata/apis/internal-version/brewery"
	v1 "github.com/listwatch/listwatch/testdata/apis/internal-version/brewery/v1"
)

// Install registers the group's internal version and its external ones.
func Install(scheme *runtime.Scheme) {
	utilruntime.Must(brewery.AddToScheme(scheme))
	utilruntime.Must(v1.AddToScheme(scheme))
	utilruntime.Must(scheme.SetVersionPriority(v1.SchemeGroupVersion))
}
