package plugins

import (
	"context"
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// readParams rejects policies and bindings with parameters of users who may not read them. On the real server it is part
// of the storage.
func readParams(o Options) admission.Interface {
	return &rule{operations: onWrite, validate: func(ctx context.Context, a admission.Attributes) error {
		p, ok := parametersOf(a.GetObject())
		if !ok || a.GetSubresource() != "" || slices.Contains(a.GetUserInfo().GetGroups(), user.SystemPrivilegedGroup) {
			return nil
		}
		var at *field.Path
		var err error
		switch was, _ := parametersOf(a.GetOldObject()); {
		case p.ref != nil: // each update asks again, as in the real server
			at, err = field.NewPath("spec", "paramRef"), p.askObject(ctx, o, a.GetUserInfo())
		case p.kind != nil && !equality.Semantic.DeepEqual(p.kind, was.kind):
			at, err = field.NewPath("spec", "paramKind"), p.askKind(ctx, o, a.GetUserInfo())
		}
		if err == nil {
			return nil
		}
		name := a.GetName()
		if m, unnamed := meta.Accessor(a.GetObject()); unnamed == nil && name == "" {
			name = m.GetName()
		}
		return apierrors.NewInvalid(a.GetKind().GroupKind(), name, field.ErrorList{field.Forbidden(at, err.Error())})
	}}
}

// parameters are those of a policy, which have a kind, or of a binding, which refers to some.
type parameters struct {
	kind *admissionv1.ParamKind

	ref      *admissionv1.ParamRef
	policies string // the resource of the binding's policy
	policy   string
	refused  string // a format for the user and the verb
}

// parametersOf returns the parameters of a policy or binding, and false for other objects.
func parametersOf(obj runtime.Object) (parameters, bool) {
	switch o := obj.(type) {
	case *admissionv1.ValidatingAdmissionPolicy:
		return parameters{kind: o.Spec.ParamKind}, true
	case *admissionv1.MutatingAdmissionPolicy:
		return parameters{kind: o.Spec.ParamKind}, true
	case *admissionv1.ValidatingAdmissionPolicyBinding:
		return parameters{ref: o.Spec.ParamRef, policies: "validatingadmissionpolicies", policy: o.Spec.PolicyName,
			refused: `user %[1]v does not have "%[2]v" permission on the object referenced by paramRef`}, true
	case *admissionv1.MutatingAdmissionPolicyBinding:
		return parameters{ref: o.Spec.ParamRef, policies: "mutatingadmissionpolicies", policy: o.Spec.PolicyName,
			refused: `user %[2]v does not have "%[1]v" permission on the object referenced by paramRef`}, true // as in the real server
	}
	return parameters{}, false
}

// askKind returns an error if a user may not get all objects of the kind of a policy's parameters.
func (p parameters) askKind(ctx context.Context, o Options, who user.Info) error {
	resource, _, err := resourceOf(ctx, o, p.kind)
	if err != nil {
		return err
	}
	if mayRead(ctx, o, who, "get", "*", "*", resource) {
		return nil
	}
	return fmt.Errorf(`user %v must have "get" permission on all objects of the referenced paramKind (kind=%s, apiVersion=%s)`, who, p.kind.Kind, p.kind.APIVersion)
}

// askObject returns an error if a user may not read what a binding refers to. If it is not known what that is, the user
// must be allowed to read everything.
func (p parameters) askObject(ctx context.Context, o Options, who user.Info) error {
	verb := "get"
	if p.ref.Name == "" {
		verb = "list"
	}
	resource, refused := schema.GroupVersionResource{Group: "*", Version: "*", Resource: "*"}, fmt.Sprintf(p.refused, who, verb)
	policy, err := o.Reader.Get(ctx, admissionv1.SchemeGroupVersion.WithResource(p.policies), "", p.policy)
	unknown := ""
	if err != nil {
		unknown = "get policy " + p.policy
	} else if of, _ := parametersOf(policy); of.kind != nil {
		var known bool
		if resource, known, err = resourceOf(ctx, o, of.kind); err != nil {
			return err
		}
		if !known {
			unknown = fmt.Sprintf("resolve paramKind &{%s %s}", of.kind.APIVersion, of.kind.Kind)
		}
	}
	if unknown != "" {
		refused = fmt.Sprintf(`unable to %s to determine minimum required permissions and user %v does not have "%v" permission for all groups, versions and resources`, unknown, who, verb)
	}
	if mayRead(ctx, o, who, verb, p.ref.Namespace, p.ref.Name, resource) {
		return nil
	}
	return errors.New(refused)
}

// resourceOf returns the resource of a kind; if it is not served, all resources of its version and false.
func resourceOf(ctx context.Context, o Options, kind *admissionv1.ParamKind) (schema.GroupVersionResource, bool, error) {
	gv, err := schema.ParseGroupVersion(kind.APIVersion)
	if err != nil {
		return schema.GroupVersionResource{}, false, err
	}
	name, err := o.ResourceOf(ctx, gv.WithKind(kind.Kind))
	if err != nil || name == "" {
		return gv.WithResource("*"), false, err
	}
	return gv.WithResource(name), true, nil
}

func mayRead(ctx context.Context, o Options, who user.Info, verb, namespace, name string, resource schema.GroupVersionResource) bool {
	decision, _, err := o.Permissions.Authorize(ctx, authorizer.AttributesRecord{
		User: who, Verb: verb, Namespace: namespace, Name: name, ResourceRequest: true,
		APIGroup: resource.Group, APIVersion: resource.Version, Resource: resource.Resource,
	})
	return err == nil && decision == authorizer.DecisionAllow
}
