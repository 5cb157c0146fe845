package plugins

import (
	"context"

	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
)

// administrators rejects claims with the access of an administrator to devices, unless a label of their namespace allows
// it. In the real server that is no plugin, so it cannot be disabled.
func administrators(o Options) admission.Interface {
	return &rule{operations: onWrite, validate: func(ctx context.Context, a admission.Attributes) error {
		at := administered(a)
		if at == nil || !o.Namespaces {
			return nil
		}
		ns, err := Namespace(ctx, o.Reader, a.GetNamespace())
		if err != nil {
			return err
		}
		if ns.Labels[resourcev1.DRAAdminNamespaceLabelKey] == "true" {
			return nil
		}
		name := a.GetName()
		if m, err := meta.Accessor(a.GetObject()); err == nil && name == "" {
			name = m.GetName()
		}
		return apierrors.NewInvalid(a.GetKind().GroupKind(), name, field.ErrorList{field.Forbidden(at,
			"admin access to devices requires the `"+resourcev1.DRAAdminNamespaceLabelKey+": true` label on the containing namespace")})
	}}
}

// administered returns the field of what is written that asks for the access of an administrator, or nil. Fields that
// cannot change are not asked again.
func administered(a admission.Attributes) *field.Path {
	if claim, ok := part[resourcev1.ResourceClaim](a, "status"); ok {
		if was, ok := before[resourcev1.ResourceClaim](a); ok && adminGrant(was) == nil {
			return adminGrant(claim)
		}
		return nil
	}
	if a.GetOperation() != admission.Create {
		return nil
	}
	if claim, ok := written[resourcev1.ResourceClaim](a); ok {
		return adminRequest(&claim.Spec)
	}
	if template, ok := written[resourcev1.ResourceClaimTemplate](a); ok {
		return adminRequest(&template.Spec.Spec)
	}
	return nil
}

func adminRequest(s *resourcev1.ResourceClaimSpec) *field.Path {
	for i, r := range s.Devices.Requests {
		if r.Exactly != nil && r.Exactly.AdminAccess != nil && *r.Exactly.AdminAccess {
			return field.NewPath("spec", "devices", "requests").Index(i).Child("adminAccess")
		}
	}
	return nil
}

func adminGrant(c *resourcev1.ResourceClaim) *field.Path {
	if c.Status.Allocation == nil {
		return nil
	}
	for i, r := range c.Status.Allocation.Devices.Results {
		if r.AdminAccess != nil && *r.AdminAccess {
			return field.NewPath("status", "allocation", "devices", "results").Index(i).Child("adminAccess")
		}
	}
	return nil
}
