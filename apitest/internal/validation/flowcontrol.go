package validation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// preserveZeroShares is the annotation by which objects of v1beta3 keep that they have no shares.
const preserveZeroShares = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares"

var flowChecks = map[string]check{
	"exempt-precedence": of(func(s *flowcontrolv1.FlowSchema, _ *field.Path) field.ErrorList {
		if s.Spec.MatchingPrecedence != 1 || s.Name == "exempt" {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("spec", "matchingPrecedence"), s.Spec.MatchingPrecedence,
			"only the schema named 'exempt' may have matchingPrecedence 1")}
	}),
	"precedence": of(func(n *int32, at *field.Path) field.ErrorList {
		switch {
		case *n <= 0:
			return field.ErrorList{field.Invalid(at, *n, "must be a positive value")}
		case *n > 10000:
			return field.ErrorList{field.Invalid(at, *n, "must not be greater than 10000")}
		}
		return nil
	}),
	"distinguisher": of(func(m *flowcontrolv1.FlowDistinguisherMethod, at *field.Path) field.ErrorList {
		known := []string{string(flowcontrolv1.FlowDistinguisherMethodByNamespaceType), string(flowcontrolv1.FlowDistinguisherMethodByUserType)}
		if slices.Contains(known, string(m.Type)) {
			return nil
		}
		return field.ErrorList{field.NotSupported[string](at.Child("type"), internal{m}, known)}
	}),
	"some-rules": of(func(r *flowcontrolv1.PolicyRulesWithSubjects, at *field.Path) field.ErrorList {
		if len(r.ResourceRules)+len(r.NonResourceRules) == 0 {
			return field.ErrorList{field.Required(at, "at least one of resourceRules and nonResourceRules has to be non-empty")}
		}
		return nil
	}),
	"flow-subject": of(flowSubject),
	"flow-verbs": of(func(verbs *[]string, at *field.Path) field.ErrorList {
		known := []string{"create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"}
		if slices.Contains(*verbs, "*") || !slices.ContainsFunc(*verbs, func(v string) bool { return !slices.Contains(known, v) }) {
			return nil
		}
		return field.ErrorList{field.NotSupported(at, *verbs, known)}
	}),
	"rule-namespaces": of(func(r *flowcontrolv1.ResourcePolicyRule, at *field.Path) field.ErrorList {
		at = at.Child("namespaces")
		var errs field.ErrorList
		switch {
		case len(r.Namespaces) == 0 && !r.ClusterScope:
			errs = append(errs, field.Required(at, "resource rules that are not cluster scoped must supply at least one namespace"))
		case !slices.Contains(r.Namespaces, "*"):
			for i, name := range r.Namespaces {
				for _, text := range validation.ValidateNamespaceName(name, false) {
					errs = append(errs, field.Invalid(at.Index(i), name, "each member of this list must be '*' or a DNS-1123 label; "+text))
				}
			}
		case len(r.Namespaces) > 1:
			errs = append(errs, field.Invalid(at, r.Namespaces, "if '*' is present, must not specify other namespaces"))
		}
		return errs
	}),
	"url-paths": of(func(paths *[]string, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		if slices.Contains(*paths, "*") {
			return nil
		}
		for i, path := range *paths {
			if text := urlPath(path); text != "" {
				errs = append(errs, field.Invalid(at.Index(i), path, text))
			}
		}
		return errs
	}),
	"level-annotations": of(func(p *flowcontrolv1.PriorityLevelConfiguration, _ *field.Path) field.ErrorList {
		// It is what v1beta3 adds to an object of v1.
		if _, ok := p.Annotations[preserveZeroShares]; !ok {
			return nil
		}
		return field.ErrorList{field.Forbidden(field.NewPath("metadata", "annotations"), "annotation '"+preserveZeroShares+"' is forbidden")}
	}),
	"level-type": of(func(p *flowcontrolv1.PriorityLevelConfiguration, _ *field.Path) field.ErrorList {
		if (p.Name == "exempt") == (p.Spec.Type == flowcontrolv1.PriorityLevelEnablementExempt) {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("spec", "type"), p.Spec.Type, "must be 'Exempt' if and only if `name` is 'exempt'")}
	}),
	"level-limits": of(func(s *flowcontrolv1.PriorityLevelConfigurationSpec, at *field.Path) field.ErrorList {
		limited := s.Type == flowcontrolv1.PriorityLevelEnablementLimited
		return slices.Concat(member(at.Child("exempt"), s.Exempt != nil, s.Type == flowcontrolv1.PriorityLevelEnablementExempt, false),
			member(at.Child("limited"), s.Limited != nil, limited, true))
	}),
	"limit-response": of(func(r *flowcontrolv1.LimitResponse, at *field.Path) field.ErrorList {
		return member(at.Child("queuing"), r.Queuing != nil, r.Type == flowcontrolv1.LimitResponseTypeQueue, true)
	}),
	"queuing": of(queuing),
}

// member checks a field that is there only for one value of the field that determines the type.
func member(at *field.Path, set, allowed, needed bool) field.ErrorList {
	switch {
	case set && !allowed:
		return field.ErrorList{field.Forbidden(at, "")}
	case !set && allowed && needed:
		return field.ErrorList{field.Required(at, "")}
	}
	return nil
}

// flowSubject checks that a subject has the field of its kind, and no other.
func flowSubject(s *flowcontrolv1.Subject, at *field.Path) field.ErrorList {
	type part struct {
		kind, name string
		set        bool
	}
	parts := []part{
		{"ServiceAccount", "serviceAccount", s.ServiceAccount != nil}, {"User", "user", s.User != nil}, {"Group", "group", s.Group != nil},
	}
	own := slices.IndexFunc(parts, func(p part) bool { return p.kind == string(s.Kind) })
	if own < 0 {
		return field.ErrorList{field.NotSupported(at.Child("kind"), s.Kind, []string{"Group", "ServiceAccount", "User"})}
	}
	var errs field.ErrorList
	if name := parts[own].name; !parts[own].set {
		errs = append(errs, field.Required(at.Child(name), fmt.Sprintf("%s is required when subject kind is '%s'", name, s.Kind)))
	}
	switch {
	case s.ServiceAccount != nil && own == 0:
		errs = append(errs, flowAccount(s.ServiceAccount, at.Child("serviceAccount"))...)
	case s.User != nil && own == 1 && s.User.Name == "":
		errs = append(errs, field.Required(at.Child("user", "name"), ""))
	case s.Group != nil && own == 2 && s.Group.Name == "":
		errs = append(errs, field.Required(at.Child("group", "name"), ""))
	}
	for i, p := range parts {
		if p.set && i != own {
			errs = append(errs, field.Forbidden(at.Child(p.name), fmt.Sprintf("%s is forbidden when subject kind is not '%s'", p.name, p.kind)))
		}
	}
	return errs
}

func flowAccount(s *flowcontrolv1.ServiceAccountSubject, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch s.Name {
	case "":
		errs = append(errs, field.Required(at.Child("name"), ""))
	case "*":
	default:
		errs = append(errs, invalid(at.Child("name"), s.Name, validation.ValidateServiceAccountName(s.Name, false))...)
	}
	if s.Namespace == "" {
		return append(errs, field.Required(at.Child("namespace"), "must specify namespace for service account"))
	}
	return append(errs, invalid(at.Child("namespace"), s.Namespace, validation.ValidateNamespaceName(s.Namespace, false))...)
}

// urlPath returns what is wrong with a path of no resource.
func urlPath(path string) string {
	stars := strings.Count(path, "*")
	switch {
	case path == "":
		return "must not be empty"
	case path == "/":
	case path[0] != '/':
		return "must start with slash"
	case strings.Contains(path, " "):
		return "must not contain white-space"
	case strings.Contains(path, "//"):
		return "must not contain double slash"
	case stars > 1 || stars == 1 && !strings.HasSuffix(path, "/*"):
		return "wildcard can only do suffix matching"
	}
	return ""
}

func queuing(q *flowcontrolv1.QueuingConfiguration, at *field.Path) field.ErrorList {
	const positive, most, bits = "must be positive", 10_000_000, 60
	var errs field.ErrorList
	if q.QueueLengthLimit <= 0 {
		errs = append(errs, field.Invalid(at.Child("queueLengthLimit"), q.QueueLengthLimit, positive))
	}
	switch {
	case q.Queues <= 0:
		errs = append(errs, field.Invalid(at.Child("queues"), q.Queues, positive))
	case q.Queues > most:
		errs = append(errs, field.Invalid(at.Child("queues"), q.Queues, fmt.Sprintf("must not be greater than %d", most)))
	}
	switch hand := at.Child("handSize"); {
	case q.HandSize <= 0:
		errs = append(errs, field.Invalid(hand, q.HandSize, positive))
	case q.HandSize > q.Queues:
		errs = append(errs, field.Invalid(hand, q.HandSize, fmt.Sprintf("should not be greater than queues (%d)", q.Queues)))
	case math.Ceil(math.Log2(float64(q.Queues))*float64(q.HandSize)) > bits:
		errs = append(errs, field.Invalid(hand, q.HandSize, fmt.Sprintf(
			"required entropy bits of deckSize %d and handSize %d should not be greater than %d", q.Queues, q.HandSize, bits)))
	}
	return errs
}
