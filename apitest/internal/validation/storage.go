package validation

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var storageChecks = map[string]check{
	"access-modes": of(accessModes),
	"claim-size": of(func(r *corev1.VolumeResourceRequirements, at *field.Path) field.ErrorList {
		size, ok := r.Requests[corev1.ResourceStorage]
		if !ok {
			return field.ErrorList{field.Required(at.Key(string(corev1.ResourceStorage)), "")}
		}
		return moreThanZero(size, at.Key(string(corev1.ResourceStorage)))
	}),
	"claim-change": changed(claimChange),
	"class-name": of(func(name *string, at *field.Path) field.ErrorList {
		if *name == "" {
			return nil
		}
		return invalid(at, *name, utilvalidation.IsDNS1123Subdomain(*name))
	}),
	"source-object": of(func(r *corev1.TypedLocalObjectReference, at *field.Path) field.ErrorList {
		return source(r.APIGroup, r.Kind, r.Name, at)
	}),
	"source-reference": of(func(r *corev1.TypedObjectReference, at *field.Path) field.ErrorList {
		return source(r.APIGroup, r.Kind, r.Name, at)
	}),
	"same-source": of(func(s *corev1.PersistentVolumeClaimSpec, at *field.Path) field.ErrorList {
		object, ref := s.DataSource, s.DataSourceRef
		if object == nil || ref == nil || equality.Semantic.DeepEqual(*object, corev1.TypedLocalObjectReference{APIGroup: ref.APIGroup, Kind: ref.Kind, Name: ref.Name}) {
			return nil
		}
		return field.ErrorList{field.Invalid(at, struct{}{}, "must match dataSourceRef")}
	}),
	"volume-modes": of(func(s *corev1.PersistentVolumeSpec, at *field.Path) field.ErrorList {
		if len(s.AccessModes) == 0 {
			return field.ErrorList{field.Required(at.Child("accessModes"), "")}
		}
		return accessModes(&s.AccessModes, at.Child("accessModes"))
	}),
	"volume-capacity": func(p place) field.ErrorList {
		list, ok := p.value.Interface().(corev1.ResourceList)
		var errs field.ErrorList
		if len(list) == 0 {
			errs = append(errs, field.Required(p.path, ""))
		}
		size, sized := list[corev1.ResourceStorage]
		if !ok || !sized || len(list) > 1 {
			return append(errs, field.NotSupported(p.path, any(list), []string{"storage"}))
		}
		at := p.path.Key("storage")
		if size.Sign() < 0 {
			errs = append(errs, field.Invalid(at, size.Value(), "must be a valid resource quantity"))
		}
		return append(errs, moreThanZero(size, at)...)
	},
	"local-volume": of(func(s *corev1.PersistentVolumeSpec, at *field.Path) field.ErrorList {
		if s.Local != nil && s.NodeAffinity == nil {
			return field.ErrorList{field.Required(at.Child("nodeAffinity"), "Local volume requires node affinity")}
		}
		return nil
	}),
	"volume-class": of(func(s *corev1.PersistentVolumeSpec, at *field.Path) field.ErrorList {
		class, name := s.VolumeAttributesClassName, at.Child("volumeAttributesClassName")
		if class == nil {
			return nil
		}
		errs := invalid(name, *class, utilvalidation.IsDNS1123Subdomain(*class))
		if *class == "" {
			errs = field.ErrorList{field.Required(name, "an empty string is disallowed")}
		}
		if s.CSI == nil {
			errs = append(errs, field.Required(at.Child("csi"), "has to be specified when using volumeAttributesClassName"))
		}
		return errs
	}),
	"volume-change": changed(func(now, was *corev1.PersistentVolumeSpec, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		if c := now.CSI; c != nil && c.ControllerExpandSecretRef != nil && was.CSI != nil && was.CSI.ControllerExpandSecretRef == nil {
			now = now.DeepCopy() // it may be set later
			now.CSI.ControllerExpandSecretRef = nil
		}
		if !equality.Semantic.DeepEqual(now.PersistentVolumeSource, was.PersistentVolumeSource) {
			errs = append(errs, field.Forbidden(at.Child("persistentvolumesource"), fmt.Sprintf("spec.persistentvolumesource is immutable after creation\n%v",
				diff.Diff(internal{was.PersistentVolumeSource}, internal{now.PersistentVolumeSource}))))
		}
		errs = append(errs, validation.ValidateImmutableField(deref(now.VolumeMode), deref(was.VolumeMode), field.NewPath("volumeMode"))...)
		if was.NodeAffinity != nil && !sameNodes(now.NodeAffinity, was.NodeAffinity) {
			errs = append(errs, field.Invalid(field.NewPath("nodeAffinity"), internal{now.NodeAffinity},
				validation.FieldImmutableErrorMsg+", except for updating from beta label to GA"))
		}
		if was.VolumeAttributesClassName != nil && now.VolumeAttributesClassName == nil {
			errs = append(errs, field.Forbidden(at.Child("volumeAttributesClassName"), "update from non-nil value to nil is forbidden"))
		}
		return errs
	}),
	"secret-reference": of(func(r *corev1.SecretReference, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		if r.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		} else {
			errs = append(errs, invalid(at.Child("name"), r.Name, utilvalidation.IsDNS1123Subdomain(r.Name))...)
		}
		if r.Namespace == "" {
			return append(errs, field.Required(at.Child("namespace"), ""))
		}
		return append(errs, dnsLabel(r.Namespace, at.Child("namespace"))...)
	}),
	"distinct-keys": of(func(t *corev1.TopologySelectorTerm, at *field.Path) field.ErrorList {
		return repeatedKeys(t, at.Child("matchLabelExpressions"))
	}),
	"distinct-topologies": of(func(c *storagev1.StorageClass, _ *field.Path) field.ErrorList {
		return repeatedTerms(c.AllowedTopologies)
	}),
	"parameters": of(func(parameters *map[string]string, at *field.Path) field.ErrorList {
		if len(*parameters) > 512 {
			return field.ErrorList{field.TooLong(at, "Provisioner Parameters exceeded max allowed", 512)}
		}
		var errs field.ErrorList
		if _, ok := (*parameters)[""]; ok {
			errs = append(errs, field.Invalid(at, "", "field can not be empty."))
		}
		return append(errs, mapSize(*parameters, at)...)
	}),
	"map-size": of(func(values *map[string]string, at *field.Path) field.ErrorList { return mapSize(*values, at) }),
	"provisioner": of(func(name *string, at *field.Path) field.ErrorList {
		if *name == "" {
			return nil // a row reports it
		}
		return invalid(at, *name, content.IsLabelKey(strings.ToLower(*name)))
	}),
	"driver-caseless": of(func(name *string, at *field.Path) field.ErrorList {
		if len(*name) > 63 {
			return field.ErrorList{field.TooLongCharacters(at, "", 63)}
		}
		return invalid(at, *name, content.IsDNS1123SubdomainCaseless(*name)) //nolint:staticcheck // what the real server does
	}),
	"lifecycle-modes": of(func(modes *[]storagev1.VolumeLifecycleMode, at *field.Path) field.ErrorList {
		supported := []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent, storagev1.VolumeLifecycleEphemeral}
		var errs field.ErrorList
		for _, mode := range *modes {
			if !slices.Contains(supported, mode) {
				errs = append(errs, field.NotSupported(at, mode, supported))
			}
		}
		return errs
	}),
	"driver-tokens": of(driverTokens),
	"tokens-in-secrets": of(func(s *storagev1.CSIDriverSpec, at *field.Path) field.ErrorList {
		if s.ServiceAccountTokenInSecrets == nil || len(s.TokenRequests) > 0 {
			return nil
		}
		return field.ErrorList{field.Invalid(at.Child("serviceAccountTokenInSecrets"), *s.ServiceAccountTokenInSecrets,
			"serviceAccountTokenInSecrets is set but no tokenRequests are specified")}
	}),
	"class-reclaim": of(func(policy *corev1.PersistentVolumeReclaimPolicy, at *field.Path) field.ErrorList {
		switch *policy {
		case "", corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRetain:
			return nil
		}
		return field.ErrorList{field.NotSupported(at, *policy, []corev1.PersistentVolumeReclaimPolicy{corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRetain})}
	}),
	"update-period": of(func(n *int64, at *field.Path) field.ErrorList {
		if *n < 10 {
			return field.ErrorList{field.Invalid(at, *n, "must be greater than or equal to 10 seconds")}
		}
		return nil
	}),
	"driver-change": changed(func(now, was *storagev1.CSIDriverSpec, at *field.Path) field.ErrorList {
		errs := validation.ValidateImmutableField(deref(now.AttachRequired), deref(was.AttachRequired), at.Child("attachedRequired"))
		return append(errs, validation.ValidateImmutableField(now.VolumeLifecycleModes, was.VolumeLifecycleModes, at.Child("volumeLifecycleModes"))...)
	}),
	"node-drivers": func(p place) field.ErrorList {
		list, ok := p.value.Interface().([]storagev1.CSINodeDriver)
		if !ok {
			return nil
		}
		var errs field.ErrorList
		for i, d := range list {
			for j, key := range d.TopologyKeys {
				if key == "" {
					errs = append(errs, field.Required(p.path.Index(i), ""))
				}
				if slices.Contains(d.TopologyKeys[:j], key) {
					errs = append(errs, field.Duplicate(p.path.Index(i), key))
				}
				errs = append(errs, invalid(p.path.Index(i), key, utilvalidation.IsQualifiedName(key))...)
			}
			if !p.old.IsValid() {
				continue
			}
			was, _ := p.old.Interface().([]storagev1.CSINodeDriver)
			if k := slices.IndexFunc(was, func(o storagev1.CSINodeDriver) bool { return o.Name == d.Name }); k >= 0 {
				now, before := d, was[k]
				now.Allocatable, before.Allocatable = nil, nil
				if !equality.Semantic.DeepEqual(now, before) {
					errs = append(errs, field.Invalid(p.path, internal{d}, validation.FieldImmutableErrorMsg))
				}
			}
		}
		return errs
	},
	"class-change": changed(func(now, was *storagev1.VolumeAttributesClass, _ *field.Path) field.ErrorList {
		var errs field.ErrorList
		if now.DriverName != was.DriverName {
			errs = append(errs, field.Forbidden(field.NewPath("driverName"), "updates to driverName are forbidden."))
		}
		if !equality.Semantic.DeepEqual(now.Parameters, was.Parameters) {
			errs = append(errs, field.Forbidden(field.NewPath("parameters"), "updates to parameters are forbidden."))
		}
		return errs
	}),
}

// mapSize checks that keys and values together are not too long.
func mapSize(values map[string]string, at *field.Path) field.ErrorList {
	const most = 256 << 10
	size := 0
	for key, value := range values {
		size += len(key) + len(value)
	}
	if size > most {
		return field.ErrorList{field.TooLong(at, "", most)}
	}
	return nil
}

// driverTokens checks the tokens that a driver asks for, each for another audience.
func driverTokens(requests *[]storagev1.TokenRequest, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, r := range *requests {
		if slices.ContainsFunc((*requests)[:i], func(before storagev1.TokenRequest) bool { return before.Audience == r.Audience }) {
			errs = append(errs, field.Duplicate(at.Index(i).Child("audience"), r.Audience))
			continue
		}
		if r.ExpirationSeconds != nil {
			errs = append(errs, TokenLifetime(*r.ExpirationSeconds, at.Index(i).Child("expirationSeconds"))...)
		}
	}
	return errs
}

// deref returns what a pointer points to, or the pointer itself if it is nil.
func deref[T any](p *T) any {
	if p == nil {
		return p
	}
	return *p
}

func moreThanZero(q resource.Quantity, at *field.Path) field.ErrorList {
	if q.Sign() <= 0 {
		return field.ErrorList{field.Invalid(at, q.String(), "must be greater than zero")}
	}
	return nil
}

func accessModes(modes *[]corev1.PersistentVolumeAccessMode, at *field.Path) field.ErrorList {
	supported := []corev1.PersistentVolumeAccessMode{corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOnce, corev1.ReadWriteOncePod}
	var errs field.ErrorList
	for _, mode := range *modes {
		if !slices.Contains(supported, mode) {
			errs = append(errs, field.NotSupported(at, mode, supported))
		}
	}
	others := slices.ContainsFunc(*modes, func(mode corev1.PersistentVolumeAccessMode) bool {
		return mode != corev1.ReadWriteOncePod && slices.Contains(supported, mode)
	})
	if slices.Contains(*modes, corev1.ReadWriteOncePod) && others {
		errs = append(errs, field.Forbidden(at, "may not use ReadWriteOncePod with other access modes"))
	}
	return errs
}

// claimChange checks that a claim changes only in its size and class, and in its volume before it has one.
func claimChange(now, was *corev1.PersistentVolumeClaim, _ *field.Path) field.ErrorList {
	spec, before := now.Spec.DeepCopy(), was.Spec.DeepCopy()
	if before.VolumeName == "" {
		before.VolumeName = spec.VolumeName
	}
	if before.StorageClassName == nil && spec.StorageClassName != nil {
		if class, ok := was.Annotations[corev1.BetaStorageClassAnnotation]; !ok || class == *spec.StorageClassName {
			before.StorageClassName = spec.StorageClassName
		}
	}
	if now.Status.Phase == corev1.ClaimBound {
		if spec.Resources.Requests != nil {
			spec.Resources.Requests[corev1.ResourceStorage] = was.Spec.Resources.Requests[corev1.ResourceStorage]
		}
		spec.VolumeAttributesClassName = was.Spec.VolumeAttributesClassName
	}
	at := field.NewPath("spec")
	var errs field.ErrorList
	class, old := now.Annotations[corev1.BetaStorageClassAnnotation], was.Annotations[corev1.BetaStorageClassAnnotation]
	if class != old && (class != "" || !movesClass(now, was)) {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "annotations").Child(corev1.BetaStorageClassAnnotation), class, validation.FieldImmutableErrorMsg))
	}
	if !equality.Semantic.DeepEqual(spec, before) {
		errs = append(errs, field.Forbidden(at, fmt.Sprintf(
			"spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n%v",
			diff.Diff(internal{*before}, internal{*spec}))))
	}
	errs = append(errs, validation.ValidateImmutableField(deref(now.Spec.VolumeMode), deref(was.Spec.VolumeMode), field.NewPath("volumeMode"))...)
	size := now.Spec.Resources.Requests.Storage()
	if size.Cmp(*was.Spec.Resources.Requests.Storage()) < 0 && size.Cmp(*was.Status.Capacity.Storage()) <= 0 {
		errs = append(errs, field.Forbidden(at.Child("resources", "requests", "storage"), "field can not be less than status.capacity"))
	}
	if was.Status.CurrentVolumeAttributesClassName == nil || equality.Semantic.DeepEqual(now.Spec.VolumeAttributesClassName, was.Spec.VolumeAttributesClassName) {
		return errs
	}
	switch class := now.Spec.VolumeAttributesClassName; {
	case class == nil:
		errs = append(errs, field.Forbidden(at.Child("volumeAttributesClassName"), "update to nil is forbidden when status.currentVolumeAttributesClassName is not nil"))
	case *class == "":
		errs = append(errs, field.Forbidden(at.Child("volumeAttributesClassName"), "update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil"))
	}
	return errs
}

// movesClass reports whether the class of a claim moves from an annotation to the field.
func movesClass(now, was *corev1.PersistentVolumeClaim) bool {
	class, annotated := was.Annotations[corev1.BetaStorageClassAnnotation]
	_, still := now.Annotations[corev1.BetaStorageClassAnnotation]
	return annotated && !still && was.Spec.StorageClassName == nil && now.Spec.StorageClassName != nil && *now.Spec.StorageClassName == class
}

// source checks a reference to what a claim's data come from: another claim, or an object of an API group.
func source(group *string, kind, name string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name == "" {
		errs = append(errs, field.Required(at.Child("name"), ""))
	}
	if kind == "" {
		errs = append(errs, field.Required(at.Child("kind"), ""))
	}
	if group != nil && *group != "" {
		return append(errs, invalid(at.Child("apiGroup"), *group, utilvalidation.IsDNS1123Subdomain(*group))...)
	}
	if kind != "PersistentVolumeClaim" {
		errs = append(errs, field.Invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
	}
	return errs
}

// renamedLabels are labels of nodes that have other names now.
var renamedLabels = map[string]string{
	"failure-domain.beta.kubernetes.io/zone":   "topology.kubernetes.io/zone",
	"failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
	"beta.kubernetes.io/instance-type":         "node.kubernetes.io/instance-type",
	"beta.kubernetes.io/os":                    "kubernetes.io/os",
	"beta.kubernetes.io/arch":                  "kubernetes.io/arch",
}

// sameNodes reports whether a volume is on the same nodes as before: labels may have been renamed.
func sameNodes(now, was *corev1.VolumeNodeAffinity) bool {
	renamed := was.DeepCopy()
	if renamed.Required == nil || now == nil || now.Required == nil || len(now.Required.NodeSelectorTerms) != len(renamed.Required.NodeSelectorTerms) {
		return equality.Semantic.DeepEqual(now, was)
	}
	for i := range renamed.Required.NodeSelectorTerms {
		expressions := renamed.Required.NodeSelectorTerms[i].MatchExpressions
		for j := range expressions {
			list := now.Required.NodeSelectorTerms[i].MatchExpressions
			if name, ok := renamedLabels[expressions[j].Key]; ok && j < len(list) && list[j].Key == name {
				expressions[j].Key = name
			}
		}
	}
	return equality.Semantic.DeepEqual(now, renamed)
}

// repeatedKeys returns the expressions of a term whose key another has.
func repeatedKeys(t *corev1.TopologySelectorTerm, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, e := range t.MatchLabelExpressions {
		if slices.ContainsFunc(t.MatchLabelExpressions[:i], func(before corev1.TopologySelectorLabelRequirement) bool { return before.Key == e.Key }) {
			errs = append(errs, field.Duplicate(at.Index(i).Child("key"), e.Key))
		}
	}
	return errs
}

// repeatedTerms returns the terms that say the same as another; those of all topologies are empty, of which there is one
// more before all others.
func repeatedTerms(terms []corev1.TopologySelectorTerm) field.ErrorList {
	var errs field.ErrorList
	var seen []map[string]sets.Set[string]
	for i, t := range terms {
		said := map[string]sets.Set[string]{}
		for _, e := range t.MatchLabelExpressions {
			said[e.Key] = sets.New(e.Values...)
		}
		if len(said) == 0 {
			for range terms {
				errs = append(errs, field.Duplicate(field.NewPath("allowedTopologies").Index(i).Child("matchLabelExpressions"), ""))
			}
		}
		for _, other := range seen {
			if equality.Semantic.DeepEqual(said, other) {
				errs = append(errs, field.Duplicate(field.NewPath("allowedTopologies").Index(i).Child("matchLabelExpressions"), ""))
			}
		}
		seen = append(seen, said)
	}
	return errs
}
