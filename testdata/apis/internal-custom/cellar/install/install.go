// Package install registers the group.
package install

import (
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/listwatch/listwatch/testdata/apis/internal-custom/cellar"
)

// Install registers the group's internal version.
func Install(scheme *runtime.Scheme) {
	utilruntime.Must(cellar.AddToScheme(scheme))
}
