// Package install adds all versions of client.authentication.k8s.io to a scheme, as client-go's
// pkg/apis/clientauthentication/install does.
package install

import (
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/listwatch/listwatch/runtime/clientauthentication"
	v1 "github.com/listwatch/listwatch/runtime/clientauthentication/v1"
	"github.com/listwatch/listwatch/runtime/clientauthentication/v1beta1"
)

// Install adds the internal version, v1 and v1beta1 to scheme, with the conversions between them.
func Install(scheme *runtime.Scheme) {
	utilruntime.Must(clientauthentication.AddToScheme(scheme))
	utilruntime.Must(v1.AddToScheme(scheme))
	utilruntime.Must(v1beta1.AddToScheme(scheme))
}
