package validation

import (
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"
)

var clusterChecks = map[string]check{
	"taints": of(func(n *corev1.Node, _ *field.Path) field.ErrorList {
		return taints(n.Spec.Taints, field.NewPath("metadata", "taints")) // as in the real server
	}),
	"node-ranges": of(func(cidrs *[]string, at *field.Path) field.ErrorList {
		if len(*cidrs) < 2 {
			return nil
		}
		var errs field.ErrorList
		both, err := netutils.IsDualStackCIDRStrings(*cidrs)
		if err != nil {
			errs = append(errs, field.InternalError(at, fmt.Errorf("invalid PodCIDRs. failed to check with dual stack with error:%w", err)))
		}
		if !both || len(*cidrs) > 2 {
			errs = append(errs, field.Invalid(at, *cidrs, "may specify no more than one CIDR for each IP family"))
		}
		return errs
	}),
	"node-ranges-remain": changed(func(now, was *[]string, at *field.Path) field.ErrorList {
		if len(*was) > 0 && !slices.Equal(*now, *was) {
			return field.ErrorList{field.Forbidden(at, `node updates may not change podCIDR except from "" to valid`)}
		}
		return nil
	}),
	"external-id": changed(func(now, was *corev1.NodeSpec, at *field.Path) field.ErrorList {
		if now.DoNotUseExternalID != was.DoNotUseExternalID {
			return field.ErrorList{field.Forbidden(at.Child("externalID"), "may not be updated")}
		}
		return nil
	}),
	"namespace-finalizers": func(p place) field.ErrorList {
		list, _ := p.value.Interface().([]corev1.FinalizerName)
		var errs field.ErrorList
		for i, name := range list {
			at := p.path
			if p.old.IsValid() {
				at = at.Index(i) // only here, as in the real server
			}
			errs = append(errs, invalid(at, string(name), utilvalidation.IsQualifiedName(string(name)))...)
			for _, err := range Finalizers([]string{string(name)}) {
				err.Field = at.String()
				errs = append(errs, err)
			}
		}
		return errs
	},
	"binding-target": of(func(target *corev1.ObjectReference, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		if target.Kind != "" && target.Kind != "Node" {
			errs = append(errs, field.NotSupported(at.Child("kind"), target.Kind, []string{"Node", "<empty>"}))
		}
		switch {
		case target.Name == "":
			errs = append(errs, field.Required(at.Child("name"), ""))
		case len(errs) == 0:
			errs = append(errs, invalid(at.Child("name"), target.Name, utilvalidation.IsDNS1123Subdomain(target.Name))...)
		}
		return errs
	}),
	"set-once": changed(func(now, was *string, at *field.Path) field.ErrorList {
		switch {
		case *was == "" || *now == *was:
			return nil
		case *now == "":
			return field.ErrorList{field.Invalid(at, nil, "field cannot be cleared once set")}
		}
		return field.ErrorList{field.Invalid(at, nil, "field cannot be modified once set")}
	}),
	"quota-amounts": func(p place) field.ErrorList {
		list, _ := p.value.Interface().(corev1.ResourceList)
		var errs field.ErrorList
		for _, name := range names(list) {
			errs = append(errs, quotaResource(name, p.path.Key(string(name)))...)
			errs = append(errs, amountOf(name, list[name], p.path.Key(string(name)))...)
		}
		return errs
	},
	"limit-kinds": of(limitKinds),
	"priority": func(p place) field.ErrorList {
		if p.old.IsValid() {
			return nil
		}
		c := pointerTo[schedulingv1.PriorityClass](p.value)
		var errs field.ErrorList
		name := field.NewPath("metadata", "name")
		switch {
		case strings.HasPrefix(c.Name, "system-"):
			if problem := systemProblem(c); problem != "" {
				errs = append(errs, field.Forbidden(name, "priority class names with 'system-' prefix are reserved for system use only. error: "+problem))
			}
		case c.Value > 1000000000:
			errs = append(errs, field.Forbidden(field.NewPath("value"), "maximum allowed value of a user defined priority is 1000000000"))
		}
		return errs
	},
	"preemption": func(p place) field.ErrorList {
		at, ok := p.follow()
		supported := []string{string(corev1.PreemptLowerPriority), string(corev1.PreemptNever)}
		switch {
		case p.old.IsValid():
			return validation.ValidateImmutableField(p.value.Interface(), p.old.Interface(), p.path)
		case ok && at.value.String() == "":
			return field.ErrorList{field.Required(p.path, "")}
		case ok && !slices.Contains(supported, at.value.String()):
			return field.ErrorList{field.NotSupported(p.path, at.value.String(), supported)}
		}
		return nil
	},
	"priority-change": changed(func(now, was *int32, at *field.Path) field.ErrorList {
		if *now != *was {
			return field.ErrorList{field.Forbidden(at, "may not be changed in an update.")}
		}
		return nil
	}),
	"runtime-overhead": of(func(c *nodev1.RuntimeClass, _ *field.Path) field.ErrorList {
		if c.Overhead == nil {
			return nil
		}
		return requirements(&corev1.ResourceRequirements{Limits: c.Overhead.PodFixed}, containerResource, field.NewPath("overhead"))
	}),
	"unique-tolerations": of(func(s *nodev1.Scheduling, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		seen := map[corev1.Toleration]bool{}
		for i, t := range s.Tolerations {
			same := t
			same.TolerationSeconds = nil
			if seen[same] {
				errs = append(errs, field.Duplicate(at.Child("tolerations").Index(i), internal{t}))
			}
			seen[same] = true
		}
		return errs
	}),
	"target-segment": of(func(name *string, at *field.Path) field.ErrorList {
		if *name == "" {
			return nil
		}
		return invalid(at, *name, content.IsPathSegmentName(*name))
	}),
	"described": of(func(r *autoscalingv2.CrossVersionObjectReference, at *field.Path) field.ErrorList {
		return reference(nil, r.Kind, r.Name, at)
	}),
	"window": of(func(n *int32, at *field.Path) field.ErrorList {
		switch {
		case *n < 0:
			return field.ErrorList{field.Invalid(at, *n, "must be greater than or equal to zero")}
		case *n > 3600:
			return field.ErrorList{field.Invalid(at, *n, "must be less than or equal to 3600")}
		}
		return nil
	}),
	"actions": of(actions),
	"parameter-reference": of(func(r *admissionv1.ParamRef, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		switch {
		case r.Name != "" && r.Selector != nil:
			for _, name := range []string{"name", "selector"} {
				errs = append(errs, field.Forbidden(at.Child(name), "name and selector are mutually exclusive"))
			}
		case r.Name == "" && r.Selector == nil:
			errs = append(errs, field.Required(at, "one of name or selector must be specified"))
		}
		action := at.Child("parameterNotFoundAction")
		switch {
		case r.ParameterNotFoundAction == nil || *r.ParameterNotFoundAction == "":
			errs = append(errs, field.Required(action, ""))
		case *r.ParameterNotFoundAction != admissionv1.DenyAction && *r.ParameterNotFoundAction != admissionv1.AllowAction:
			errs = append(errs, field.NotSupported(action, *r.ParameterNotFoundAction, []admissionv1.ParameterNotFoundActionType{admissionv1.DenyAction, admissionv1.AllowAction}))
		}
		return errs
	}),
}

// taints checks the taints of a node.
func taints(list []corev1.Taint, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, t := range list {
		errs = append(errs, metavalidation.ValidateLabelName(t.Key, at.Index(i).Child("key"))...)
		errs = append(errs, invalid(at.Index(i).Child("value"), t.Value, content.IsLabelValue(t.Value))...)
		errs = append(errs, taintEffect(t.Effect, false, at.Index(i).Child("effect"))...)
		key := t.Key + ":" + string(t.Effect)
		if seen[key] {
			err := field.Duplicate(at.Index(i), internal{t})
			err.Detail = "taints must be unique by key and effect pair"
			errs = append(errs, err)
		}
		seen[key] = true
	}
	return errs
}

func quotaResource(name corev1.ResourceName, at *field.Path) field.ErrorList {
	errs := resourceName(name, at)
	if !strings.Contains(string(name), "/") && (!isStandard(name) || name == corev1.ResourceStorage) {
		errs = append(errs, field.Invalid(at, name, "must be a standard resource for quota"))
	}
	return errs
}

func actions(list *[]admissionv1.ValidationAction, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[admissionv1.ValidationAction]bool{}
	for i, a := range *list {
		switch a {
		case admissionv1.Deny, admissionv1.Warn, admissionv1.Audit:
		default:
			errs = append(errs, field.NotSupported(at.Index(i), a, []admissionv1.ValidationAction{admissionv1.Audit, admissionv1.Deny, admissionv1.Warn}))
		}
		if seen[a] {
			errs = append(errs, field.Duplicate(at.Index(i), a))
		}
		seen[a] = true
	}
	if seen[admissionv1.Deny] && seen[admissionv1.Warn] {
		errs = append(errs, field.Invalid(at, *list, "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)"))
	}
	return errs
}

// SystemPriorities are the values of the priority classes that every cluster has.
var SystemPriorities = map[string]int32{
	"system-cluster-critical": 2_000_000_000,
	"system-node-critical":    2_000_001_000,
}

// systemProblem returns why a class is not one of those that every cluster has, or "".
func systemProblem(c *schedulingv1.PriorityClass) string {
	value, ok := SystemPriorities[c.Name]
	switch {
	case !ok:
		return c.Name + " is not a known system priority class"
	case c.Value != value:
		return fmt.Sprintf("value of %s PriorityClass must be %d", c.Name, value)
	case c.GlobalDefault:
		return fmt.Sprintf("globalDefault of %s PriorityClass must be false", c.Name)
	}
	return ""
}
