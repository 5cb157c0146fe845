package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/clientauthentication"
)

// GroupName is the name of the API group.
const GroupName = clientauthentication.GroupName

// SchemeGroupVersion is the version of this package's types.
var SchemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: "v1"}

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
		return ToInternal(&in.Spec, in.Status, out)
	})
	if err != nil {
		return err
	}
	return scheme.AddConversionFunc((*clientauthentication.ExecCredential)(nil), (*ExecCredential)(nil), func(a, b any, _ conversion.Scope) error {
		in, out := a.(*clientauthentication.ExecCredential), b.(*ExecCredential)
		out.Status = (*ExecCredentialStatus)(in.Status)
		return FromInternal(in, &out.Spec)
	})
}

// ToInternal sets the spec and status of an internal ExecCredential. They share data with out.
func ToInternal(spec *ExecCredentialSpec, status *ExecCredentialStatus, out *clientauthentication.ExecCredential) error {
	out.Spec = clientauthentication.ExecCredentialSpec{Interactive: spec.Interactive}
	out.Status = (*clientauthentication.ExecCredentialStatus)(status)
	if c := spec.Cluster; c != nil {
		out.Spec.Cluster = &clientauthentication.Cluster{
			Server:                   c.Server,
			TLSServerName:            c.TLSServerName,
			InsecureSkipTLSVerify:    c.InsecureSkipTLSVerify,
			CertificateAuthorityData: c.CertificateAuthorityData,
			ProxyURL:                 c.ProxyURL,
			DisableCompression:       c.DisableCompression,
		}
		return runtime.Convert_runtime_RawExtension_To_runtime_Object(&c.Config, &out.Spec.Cluster.Config, nil)
	}
	return nil
}

// FromInternal sets spec from an internal ExecCredential. They share data.
func FromInternal(in *clientauthentication.ExecCredential, spec *ExecCredentialSpec) error {
	*spec = ExecCredentialSpec{Interactive: in.Spec.Interactive}
	if c := in.Spec.Cluster; c != nil {
		spec.Cluster = &Cluster{
			Server:                   c.Server,
			TLSServerName:            c.TLSServerName,
			InsecureSkipTLSVerify:    c.InsecureSkipTLSVerify,
			CertificateAuthorityData: c.CertificateAuthorityData,
			ProxyURL:                 c.ProxyURL,
			DisableCompression:       c.DisableCompression,
		}
		return runtime.Convert_runtime_Object_To_runtime_RawExtension(&c.Config, &spec.Cluster.Config, nil)
	}
	return nil
}
