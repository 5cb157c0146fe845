package v1beta1

import (
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/listwatch/listwatch/runtime/clientauthentication/v1"
	"k8s.io/client-go/internal/conversions"
	"k8s.io/client-go/pkg/apis/clientauthentication"
)

// Results share slices and maps with what they were converted from.

// RegisterConversions adds the conversions between the types of this package and the internal ones to a scheme.
func RegisterConversions(scheme *runtime.Scheme) error {
	all := runtime.NewSchemeBuilder(
		conversions.Pair(Convert_v1beta1_Cluster_To_clientauthentication_Cluster, Convert_clientauthentication_Cluster_To_v1beta1_Cluster),
		conversions.Pair(Convert_v1beta1_ExecCredential_To_clientauthentication_ExecCredential, Convert_clientauthentication_ExecCredential_To_v1beta1_ExecCredential),
		conversions.Pair(Convert_v1beta1_ExecCredentialSpec_To_clientauthentication_ExecCredentialSpec, Convert_clientauthentication_ExecCredentialSpec_To_v1beta1_ExecCredentialSpec),
		conversions.Pair(Convert_v1beta1_ExecCredentialStatus_To_clientauthentication_ExecCredentialStatus, Convert_clientauthentication_ExecCredentialStatus_To_v1beta1_ExecCredentialStatus),
	)
	return all.AddToScheme(scheme)
}

// Convert_v1beta1_ExecCredential_To_clientauthentication_ExecCredential converts to the internal version.
func Convert_v1beta1_ExecCredential_To_clientauthentication_ExecCredential(in *ExecCredential, out *clientauthentication.ExecCredential, _ conversion.Scope) error {
	return v1.ToInternal(&in.Spec, in.Status, out)
}

// Convert_clientauthentication_ExecCredential_To_v1beta1_ExecCredential converts from the internal version.
func Convert_clientauthentication_ExecCredential_To_v1beta1_ExecCredential(in *clientauthentication.ExecCredential, out *ExecCredential, _ conversion.Scope) error {
	out.Status = (*ExecCredentialStatus)(in.Status)
	return v1.FromInternal(in, &out.Spec)
}

// Convert_v1beta1_ExecCredentialSpec_To_clientauthentication_ExecCredentialSpec converts to the internal version.
func Convert_v1beta1_ExecCredentialSpec_To_clientauthentication_ExecCredentialSpec(in *ExecCredentialSpec, out *clientauthentication.ExecCredentialSpec, _ conversion.Scope) error {
	var whole clientauthentication.ExecCredential
	err := v1.ToInternal(in, nil, &whole)
	*out = whole.Spec
	return err
}

// Convert_clientauthentication_ExecCredentialSpec_To_v1beta1_ExecCredentialSpec converts from the internal version.
func Convert_clientauthentication_ExecCredentialSpec_To_v1beta1_ExecCredentialSpec(in *clientauthentication.ExecCredentialSpec, out *ExecCredentialSpec, _ conversion.Scope) error {
	return v1.FromInternal(&clientauthentication.ExecCredential{Spec: *in}, out)
}

// Convert_v1beta1_Cluster_To_clientauthentication_Cluster converts to the internal version.
func Convert_v1beta1_Cluster_To_clientauthentication_Cluster(in *Cluster, out *clientauthentication.Cluster, _ conversion.Scope) error {
	var whole clientauthentication.ExecCredential
	err := v1.ToInternal(&ExecCredentialSpec{Cluster: in}, nil, &whole)
	*out = *whole.Spec.Cluster
	return err
}

// Convert_clientauthentication_Cluster_To_v1beta1_Cluster converts from the internal version.
func Convert_clientauthentication_Cluster_To_v1beta1_Cluster(in *clientauthentication.Cluster, out *Cluster, _ conversion.Scope) error {
	var whole ExecCredentialSpec
	err := v1.FromInternal(&clientauthentication.ExecCredential{Spec: clientauthentication.ExecCredentialSpec{Cluster: in}}, &whole)
	*out = *whole.Cluster
	return err
}

// Convert_v1beta1_ExecCredentialStatus_To_clientauthentication_ExecCredentialStatus converts to the internal version.
func Convert_v1beta1_ExecCredentialStatus_To_clientauthentication_ExecCredentialStatus(in *ExecCredentialStatus, out *clientauthentication.ExecCredentialStatus, _ conversion.Scope) error {
	*out = clientauthentication.ExecCredentialStatus(*in)
	return nil
}

// Convert_clientauthentication_ExecCredentialStatus_To_v1beta1_ExecCredentialStatus converts from the internal version.
func Convert_clientauthentication_ExecCredentialStatus_To_v1beta1_ExecCredentialStatus(in *clientauthentication.ExecCredentialStatus, out *ExecCredentialStatus, _ conversion.Scope) error {
	*out = ExecCredentialStatus(*in)
	return nil
}
