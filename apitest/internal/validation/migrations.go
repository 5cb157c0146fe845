package validation

import (
	"strings"

	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var migrationChecks = map[string]check{
	"migrated-resource": of(func(r *metav1.GroupResource, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		if r.Resource == "" {
			errs = append(errs, field.Required(at.Child("resource"), "resource is required to be set"))
		} else if texts := utilvalidation.IsDNS1035Label(r.Resource); len(texts) > 0 {
			errs = append(errs, field.Invalid(at.Child("resource"), r.Resource, strings.Join(texts, ",")))
		}
		if r.Group != "" {
			if texts := utilvalidation.IsDNS1123Subdomain(r.Group); len(texts) > 0 {
				errs = append(errs, field.Invalid(at.Child("group"), r.Group, strings.Join(texts, ",")))
			}
		}
		return errs
	}),
	"migration-fixed": changed(func(now, was *storagemigrationv1.StorageVersionMigration, _ *field.Path) field.ErrorList {
		if now.Spec == was.Spec {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("spec"), internal{now.Spec}, validation.FieldImmutableErrorMsg)}
	}),
	"migration-status": changed(migrationStatus),
}

// migrationStatus checks that a migration succeeds or fails, for good, and is of one version.
func migrationStatus(now, was *storagemigrationv1.StorageVersionMigration, _ *field.Path) field.ErrorList {
	at, version, conditions := field.NewPath("status", "resourceVersion"), now.Status.ResourceVersion, now.Status.Conditions
	var errs field.ErrorList
	if version != "" {
		if _, err := resourceversion.CompareResourceVersion(version, version); err != nil {
			errs = append(errs, field.Invalid(at, version, err.Error()))
		}
	}
	list := field.NewPath("status", "conditions")
	errs = append(errs, metavalidation.ValidateConditions(conditions, list)...)
	if before := was.Status.ResourceVersion; before != "" && before != version {
		errs = append(errs, field.Invalid(at, version, "field is immutable"))
	}
	const succeeded, failed = string(storagemigrationv1.MigrationSucceeded), string(storagemigrationv1.MigrationFailed)
	if meta.IsStatusConditionTrue(conditions, succeeded) && meta.IsStatusConditionTrue(conditions, failed) {
		errs = append(errs, field.Invalid(list, conditions, "Both success and failed conditions cannot be true at the same time"))
	}
	for _, end := range []struct{ condition, name string }{{succeeded, "Success"}, {failed, "Failed"}} {
		if meta.IsStatusConditionTrue(was.Status.Conditions, end.condition) && !meta.IsStatusConditionTrue(conditions, end.condition) {
			errs = append(errs, field.Invalid(list, conditions, end.name+" condition cannot be set to false once it is true"))
		}
	}
	return errs
}
