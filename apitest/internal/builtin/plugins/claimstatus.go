package plugins

import (
	"context"
	"fmt"
	"slices"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// bindClaims rejects changes of the status of claims by users who may write the status, but not bind claims or report for
// the driver of a device. In the real server that is no plugin, so it cannot be disabled.
func bindClaims(o Options) admission.Interface {
	return &rule{operations: onUpdate, validate: func(ctx context.Context, a admission.Attributes) error {
		claim, ok := part[resourcev1.ResourceClaim](a, "status")
		was, known := before[resourcev1.ResourceClaim](a)
		if !ok || !known {
			return nil
		}
		verb := "update"
		if info, ok := request.RequestInfoFrom(ctx); ok {
			verb = info.Verb
		}
		ask := asker{o.Permissions, a}
		errs := ask.binding(ctx, verb, &claim.Status, &was.Status)
		if claim.Status.Allocation != nil {
			errs = append(errs, ask.drivers(ctx, verb, &claim.Status, &was.Status)...)
		}
		if len(errs) > 0 {
			return apierrors.NewInvalid(a.GetKind().GroupKind(), claim.Name, errs)
		}
		return nil
	}}
}

// asker asks for the permissions of a user.
type asker struct {
	permissions authorizer.UnconditionalAuthorizer
	request     admission.Attributes
}

// may returns an error unless the user may do something with a part of claims that exists only for permissions.
func (k asker) may(ctx context.Context, verb, subresource, namespace, name string) error {
	attributes := authorizer.AttributesRecord{
		User: k.request.GetUserInfo(), Verb: verb, Namespace: namespace, Name: name, ResourceRequest: true,
		APIGroup: resourcev1.GroupName, APIVersion: k.request.GetResource().Version, Resource: "resourceclaims", Subresource: subresource,
	}
	decision, reason, err := k.permissions.Authorize(ctx, attributes)
	switch {
	case decision == authorizer.DecisionAllow:
		return nil
	case err != nil && reason != "":
		reason = fmt.Sprintf("%v: %s", err, reason)
	case err != nil:
		reason = err.Error()
	}
	return responsewriters.ForbiddenStatusError(attributes, reason)
}

// binding asks whether the user may change the allocation of a claim, or who uses it.
func (k asker) binding(ctx context.Context, verb string, now, was *resourcev1.ResourceClaimStatus) field.ErrorList {
	if equality.Semantic.DeepEqual(now.Allocation, was.Allocation) && equality.Semantic.DeepEqual(now.ReservedFor, was.ReservedFor) {
		return nil
	}
	if err := k.may(ctx, verb, resourcev1.SubresourceBinding, "", ""); err != nil {
		return field.ErrorList{field.Forbidden(field.NewPath("status", "allocation"), fmt.Sprintf(
			`changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="%s" permission: %s`, verb, err))}
	}
	return nil
}

// drivers asks whether the user may change what drivers say about devices: a driver may on the node of the claim or, with
// more permissions, on any node.
func (k asker) drivers(ctx context.Context, verb string, now, was *resourcev1.ResourceClaimStatus) field.ErrorList {
	verbs := []string{resourcev1.VerbPrefixArbitraryNode + verb}
	if node := nodeOfClaim(now.Allocation); node != "" && isOnNode(k.request.GetUserInfo(), node) {
		verbs = slices.Insert(verbs, 0, resourcev1.VerbPrefixAssociatedNode+verb)
	}
	var errs field.ErrorList
	for _, driver := range changedDrivers(now.Devices, was.Devices) {
		var refused error
		for _, verb := range verbs {
			err := k.may(ctx, verb, resourcev1.SubresourceDriver, k.request.GetNamespace(), driver)
			if err == nil {
				refused = nil
				break
			}
			if refused == nil {
				refused = err
			}
		}
		if refused != nil {
			errs = append(errs, field.Forbidden(field.NewPath("status", "devices"), fmt.Sprintf(
				`changing status.devices requires resource="resourceclaims/driver", verb="%s" permission: %s`, verbs, refused)))
		}
	}
	return errs
}

// changedDrivers returns the sorted drivers of devices about which something else is said than before.
func changedDrivers(now, was []resourcev1.AllocatedDeviceStatus) []string {
	var out []string
	add := func(list, others []resourcev1.AllocatedDeviceStatus) {
		for _, d := range list {
			same := slices.ContainsFunc(others, func(o resourcev1.AllocatedDeviceStatus) bool { return equality.Semantic.DeepEqual(d, o) })
			if !same && !slices.Contains(out, d.Driver) {
				out = append(out, d.Driver)
			}
		}
	}
	add(now, was)
	add(was, now)
	slices.Sort(out)
	return out
}

// nodeOfClaim returns the node where the devices of a claim are, or "" if there can be several.
func nodeOfClaim(a *resourcev1.AllocationResult) string {
	if a == nil || a.NodeSelector == nil || len(a.NodeSelector.NodeSelectorTerms) != 1 {
		return ""
	}
	term := a.NodeSelector.NodeSelectorTerms[0]
	if len(term.MatchExpressions) > 0 || len(term.MatchFields) != 1 {
		return ""
	}
	if f := term.MatchFields[0]; f.Key == "metadata.name" && f.Operator == "In" && len(f.Values) == 1 {
		return f.Values[0]
	}
	return ""
}

// isOnNode reports whether a user is the service account of a pod on a node.
func isOnNode(who user.Info, node string) bool {
	if who == nil || !strings.HasPrefix(who.GetName(), serviceaccount.ServiceAccountUsernamePrefix) {
		return false
	}
	return slices.Equal(who.GetExtra()[serviceaccount.NodeNameKey], []string{node})
}
