package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/clientauthentication"
	v1 "github.com/listwatch/listwatch/runtime/clientauthentication/v1"
)

// GroupName is the name of the API group.
const GroupName = clientauthentication.GroupName

// SchemeGroupVersion is the version of this package's types.
var SchemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: "v1beta1"}

// SchemeBuilder and AddToScheme add ExecCredential and its conversions to a scheme.
var (
	SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes, RegisterConversions)
	AddToScheme   = SchemeBuilder.AddToScheme
)

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion, &ExecCredential{})
	metav1.AddToGroupVersion(scheme, SchemeGroupVersion)
	return nil
}

// Resource returns resource with the group.
func Resource(resource string) schema.GroupResource {
	return SchemeGroupVersion.WithResource(resource).GroupResource()
}

// RegisterConversions adds the conversions between ExecCredential and the internal version to scheme.
func RegisterConversions(scheme *runtime.Scheme) error {
	err := scheme.AddConversionFunc((*ExecCredential)(nil), (*clientauthentication.ExecCredential)(nil), func(a, b any, _ conversion.Scope) error {
		in, out := a.(*ExecCredential), b.(*clientauthentication.ExecCredential)
		return v1.ToInternal(&in.Spec, in.Status, out)
	})
	if err != nil {
		return err
	}
	return scheme.AddConversionFunc((*clientauthentication.ExecCredential)(nil), (*ExecCredential)(nil), func(a, b any, _ conversion.Scope) error {
		in, out := a.(*clientauthentication.ExecCredential), b.(*ExecCredential)
		out.Status = (*ExecCredentialStatus)(in.Status)
		return v1.FromInternal(in, &out.Spec)
	})
}
