package extensionsv1beta1

import (
	v1beta1 "k8s.io/api/extensions/v1beta1"
	"k8s.io/apimachinery/pkg/conversion"

	"k8s.io/client-go/scale/scheme"
	"k8s.io/client-go/scale/scheme/internal/selectors"
)

// Convert_v1beta1_Scale_To_scheme_Scale converts to the internal version. Both share the metadata's maps and slices.
func Convert_v1beta1_Scale_To_scheme_Scale(in *v1beta1.Scale, out *scheme.Scale, s conversion.Scope) error {
	out.ObjectMeta, out.Spec = in.ObjectMeta, scheme.ScaleSpec(in.Spec)
	return Convert_v1beta1_ScaleStatus_To_scheme_ScaleStatus(&in.Status, &out.Status, s)
}

// Convert_scheme_Scale_To_v1beta1_Scale converts from the internal version. Both share the metadata's maps and slices.
func Convert_scheme_Scale_To_v1beta1_Scale(in *scheme.Scale, out *v1beta1.Scale, s conversion.Scope) error {
	out.ObjectMeta, out.Spec = in.ObjectMeta, v1beta1.ScaleSpec(in.Spec)
	return Convert_scheme_ScaleStatus_To_v1beta1_ScaleStatus(&in.Status, &out.Status, s)
}

// Convert_v1beta1_ScaleSpec_To_scheme_ScaleSpec converts to the internal version.
func Convert_v1beta1_ScaleSpec_To_scheme_ScaleSpec(in *v1beta1.ScaleSpec, out *scheme.ScaleSpec, _ conversion.Scope) error {
	*out = scheme.ScaleSpec(*in)
	return nil
}

// Convert_scheme_ScaleSpec_To_v1beta1_ScaleSpec converts from the internal version.
func Convert_scheme_ScaleSpec_To_v1beta1_ScaleSpec(in *scheme.ScaleSpec, out *v1beta1.ScaleSpec, _ conversion.Scope) error {
	*out = v1beta1.ScaleSpec(*in)
	return nil
}

// Convert_v1beta1_ScaleStatus_To_scheme_ScaleStatus converts to the internal version.
func Convert_v1beta1_ScaleStatus_To_scheme_ScaleStatus(in *v1beta1.ScaleStatus, out *scheme.ScaleStatus, _ conversion.Scope) error {
	var err error
	out.Replicas = in.Replicas
	out.Selector, err = selectors.FromBoth(in.Selector, in.TargetSelector)
	return err
}

// Convert_scheme_ScaleStatus_To_v1beta1_ScaleStatus converts from the internal version.
func Convert_scheme_ScaleStatus_To_v1beta1_ScaleStatus(in *scheme.ScaleStatus, out *v1beta1.ScaleStatus, _ conversion.Scope) error {
	var err error
	out.Replicas = in.Replicas
	out.Selector, out.TargetSelector, err = selectors.Both(in.Selector)
	return err
}
