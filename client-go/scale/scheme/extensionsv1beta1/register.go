// Package extensionsv1beta1 converts scales of extensions/v1beta1.
package extensionsv1beta1

import (
	v1beta1 "k8s.io/api/extensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"k8s.io/client-go/internal/conversions"
)

// GroupName is the name of the API group.
const GroupName = v1beta1.GroupName

// SchemeGroupVersion is the version of the scales.
var SchemeGroupVersion = v1beta1.SchemeGroupVersion

// AddToScheme adds the group and version to a scheme, and the conversions of its scales.
var AddToScheme = (&builder).AddToScheme

var builder = runtime.NewSchemeBuilder(v1beta1.AddToScheme, RegisterConversions)

// Resource returns resource with the group.
func Resource(resource string) schema.GroupResource { return v1beta1.Resource(resource) }

// RegisterConversions adds the conversions of scales to a scheme.
func RegisterConversions(s *runtime.Scheme) error {
	all := runtime.NewSchemeBuilder(
		conversions.Pair(Convert_v1beta1_Scale_To_scheme_Scale, Convert_scheme_Scale_To_v1beta1_Scale),
		conversions.Pair(Convert_v1beta1_ScaleSpec_To_scheme_ScaleSpec, Convert_scheme_ScaleSpec_To_v1beta1_ScaleSpec),
		conversions.Pair(Convert_v1beta1_ScaleStatus_To_scheme_ScaleStatus, Convert_scheme_ScaleStatus_To_v1beta1_ScaleStatus),
	)
	return all.AddToScheme(s)
}
