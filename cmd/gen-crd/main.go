// Gen-crd generates CustomResourceDefinitions from Go types.
//
//	gen-crd [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./api/..., and writes a file GROUP_PLURAL.yaml for
// each struct that embeds metav1.TypeMeta and metav1.ObjectMeta, as controller-gen's generator crd does.
// The package needs the marker +groupName in a comment, as in
//
//	// +groupName=storage.example.com
//	package v1
//
// The version is the name of the package, or the value of +versionName. Types of one name in several
// packages of a group are the versions of one CustomResourceDefinition. Versions in packages that are not given
// are read too, and files are removed only if their kinds are gone.
//
// # Examples
//
// Generate config/crd/bases for all types below ./api:
//
//	gen-crd ./api/...
//
// Fail in CI if the output is out of date:
//
//	gen-crd --verify ./api/...
//
// # Markers
//
// Markers are lines of comments above types and fields. These concern a kind:
//
//	+kubebuilder:resource:path=shoes,singular=shoe,shortName=sh;s,categories=all,scope=Cluster
//	+kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size",priority=1,description="..."
//	+kubebuilder:subresource:status
//	+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
//	+kubebuilder:storageversion, +kubebuilder:unservedversion, +kubebuilder:skipversion
//	+kubebuilder:deprecatedversion:warning="use v1"
//	+kubebuilder:selectablefield:JSONPath=".spec.size"
//	+kubebuilder:metadata:annotations="key=value",labels="key=value"
//
// These concern values, and stand above fields or types; those of the first four lines, as in
// +kubebuilder:validation:items:Pattern, also describe the items of a list:
//
//	+kubebuilder:validation:Maximum=, Minimum=, ExclusiveMaximum=, ExclusiveMinimum=, MultipleOf=
//	+kubebuilder:validation:MaxLength=, MinLength=, Pattern=, Format=, Enum=a;b, Type=
//	+kubebuilder:validation:MaxItems=, MinItems=, UniqueItems=, MaxProperties=, MinProperties=
//	+kubebuilder:validation:XValidation:rule="self.min <= self.max",message="..."
//	+kubebuilder:validation:ExactlyOneOf=a;b, AtMostOneOf=, AtLeastOneOf= (types)
//	+kubebuilder:validation:EmbeddedResource, Schemaless (fields)
//	+kubebuilder:pruning:PreserveUnknownFields
//	+kubebuilder:default=, +kubebuilder:example=, +default= in JSON (fields)
//	+kubebuilder:title=, +kubebuilder:externalDocs:url=
//	+optional, +required, +nullable, +k8s:immutable (fields)
//	+listType=atomic|set|map, +listMapKey=, +mapType=atomic|granular, +structType=atomic|granular
//	+k8s:enum (types): the values are the type's constants
//
// A field is required unless it is marked +optional or its tag has omitempty or omitzero. These are in
// comments of the package:
//
//	+groupName=, +versionName=
//	+kubebuilder:validation:Optional  fields are optional unless they are marked +required
//	+kubebuilder:skip                 the package has no kinds
//
// # Errors
//
// A marker that does not fit its field, such as MinLength of a number or a default of another type, is
// an error, as is a type without a schema: an interface, a type that contains itself, or without
// --allow-dangerous-types a floating-point number. What controller-gen generates although API servers refuse
// it is a warning, and an error of gen-all: defaults outside of the bounds, enums and patterns of their fields,
// lists of type map without keys and other lists with keys, UniqueItems=true, columns of unknown types and formats,
// selectable fields that do not exist, values without a type, groups without a dot. CEL rules are not checked.
// Unknown markers below kubebuilder:, markers without effect, limits that allow no value, and JSON paths of columns
// and scales that no field has are warnings of both; --strict turns all warnings into errors.
//
// The comment +listwatch:ignore silences the warnings about the next line. Add a reason after the equals
// sign, as in // +listwatch:ignore=required by legacy clients.
//
// # Exit codes
//
// 0: success. 1: invalid input, reported as file:line:col: message, or with --verify, stale output;
// nothing was written. 2: invalid flags.
package main

import (
	"context"
	_ "embed"
	"os"

	"github.com/listwatch/listwatch/internal/cli"
)

//go:embed main.go
var source string

func main() {
	os.Exit(cli.GenCRD(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
