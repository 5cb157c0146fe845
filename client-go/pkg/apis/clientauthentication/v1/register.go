package v1

import (
	"k8s.io/apimachinery/pkg/runtime"

	listwatch "github.com/listwatch/listwatch/runtime/clientauthentication/v1"
)

// SchemeBuilder and AddToScheme add ExecCredential to a scheme, and the conversions of all types. AddToScheme also
// adds what is registered with SchemeBuilder.
var (
	SchemeBuilder = runtime.NewSchemeBuilder(listwatch.AddToScheme, RegisterConversions)
	AddToScheme   = (&SchemeBuilder).AddToScheme
)
