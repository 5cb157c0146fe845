package crds

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Judge answers objects of one version of a kind as the API server does: it writes defaults,
// removes unknown fields, and validates. It is not safe for concurrent use.
type Judge struct {
	structural *schema.Structural
	validator  schemavalidation.SchemaValidator
	rules      *cel.Validator
}

// Verdict is the answer to an object.
type Verdict struct {
	// Stored is what the server stores, in JSON; it is empty if the object is refused.
	Stored string
	// Errors are the reasons why the object is refused, sorted.
	Errors []string
}

func (v Verdict) String() string {
	if len(v.Errors) > 0 {
		return "refused: " + strings.Join(v.Errors, "; ")
	}
	return "stored: " + v.Stored
}

// definition returns a manifest as the server's internal type.
func (m Manifest) definition() (*apiextensions.CustomResourceDefinition, error) {
	var external apiextensionsv1.CustomResourceDefinition
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(m, &external)
	if err != nil {
		return nil, err
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(&external)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&external.Spec)
	internal := &apiextensions.CustomResourceDefinition{}
	return internal, apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&external, internal, nil)
}

// Invalid returns why the server refuses a manifest, or nil.
func (m Manifest) Invalid(ctx context.Context) ([]string, error) {
	d, err := m.definition()
	if err != nil {
		return nil, err
	}
	// The handler writes these names.
	d.Status.StoredVersions = nil
	for _, v := range d.Spec.Versions {
		if v.Storage {
			d.Status.StoredVersions = append(d.Status.StoredVersions, v.Name)
		}
	}
	return sorted(validation.ValidateCustomResourceDefinition(ctx, d)), nil
}

// NewJudge returns a judge of a version of a manifest.
func NewJudge(m Manifest, version string) (*Judge, error) {
	d, err := m.definition()
	if err != nil {
		return nil, err
	}
	properties, err := apiextensions.GetSchemaForVersion(d, version)
	if err != nil {
		return nil, err
	}
	if properties == nil || properties.OpenAPIV3Schema == nil {
		return nil, fmt.Errorf("version %s has no schema", version)
	}
	structural, err := schema.NewStructural(properties.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	validator, _, err := schemavalidation.NewSchemaValidator(properties.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	defaults := structural.DeepCopy()
	if err = defaulting.PruneDefaults(defaults); err != nil {
		return nil, err
	}
	return &Judge{defaults, validator, cel.NewValidator(structural, true, celconfig.PerCallLimit)}, nil
}

// Create answers the creation of an object, which it does not change.
func (j *Judge) Create(ctx context.Context, object map[string]any) Verdict {
	return j.answer(ctx, object, nil)
}

// Update answers the replacement of old, which was stored.
func (j *Judge) Update(ctx context.Context, object, old map[string]any) Verdict {
	return j.answer(ctx, object, old)
}

func (j *Judge) answer(ctx context.Context, object, old map[string]any) Verdict {
	object = runtime.DeepCopyJSON(object)
	defaulting.Default(object, j.structural)
	pruning.Prune(object, j.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, j.structural)
	if err := objectmeta.Coerce(nil, object, j.structural, false, false); err != nil {
		return Verdict{Errors: []string{err.Error()}}
	}
	var errs field.ErrorList
	if old == nil {
		errs = append(errs, schemavalidation.ValidateCustomResource(nil, object, j.validator)...)
	} else {
		errs = append(errs, schemavalidation.ValidateCustomResourceUpdate(nil, object, old, j.validator)...)
	}
	errs = append(errs, objectmeta.Validate(ctx, nil, object, j.structural, true)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, j.structural, object)...)
	// As the server, rules are skipped for objects of the wrong shape.
	if len(errs) == 0 {
		var before any
		if old != nil {
			before = old
		}
		failed, _ := j.rules.Validate(ctx, nil, j.structural, object, before, int64(math.MaxInt32))
		errs = append(errs, failed...)
	}
	if len(errs) > 0 {
		return Verdict{Errors: sorted(errs)}
	}
	text, err := json.Marshal(object)
	if err != nil {
		return Verdict{Errors: []string{err.Error()}}
	}
	return Verdict{Stored: string(text)}
}

func sorted(errs field.ErrorList) []string {
	var texts []string
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	slices.Sort(texts)
	return texts
}
