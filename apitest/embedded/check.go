package embedded

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/apitest/internal/document"
	"github.com/listwatch/listwatch/apitest/internal/hooks"
)

// Checked is the result of [Check].
type Checked struct {
	// Definitions is the number of CRDs, and Objects that of other objects.
	Definitions, Objects int
	// Refused are the reasons for which the server refuses some of them. Warnings are its warnings about others. Both are
	// sorted by file and line.
	Refused, Warnings []Finding
}

// Finding is a message about a place in a manifest.
type Finding struct {
	File string
	Line int // the first line is 1
	// Field is the path of the field as the server writes it, such as spec.replicas; empty for the whole object.
	// In paths of CRDs with one version, spec.validation is the schema of that version.
	Field   string
	Message string
}

// String returns "file:line: field: message".
func (f Finding) String() string {
	message := f.Message
	if f.Field != "" {
		message = f.Field + ": " + message
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, message)
}

// Check reports what an API server refuses of the CRDs and objects in manifests, without a running server. Paths are
// as for [WithCRDs]; files of kustomize are skipped in directories. It creates the CRDs on a server, with the
// validation of API servers, that of schemas, defaults and the cost of CEL rules included, and then the other objects
// as if they were new, without unknown or duplicate fields. Objects of kinds that neither a CRD in the manifests nor
// the server defines are refused, and pods whose priority or runtime class is not among the manifests. Their namespaces need
// not exist, no webhook is called, and no policy is evaluated.
//
// The expressions of admission policies and of the match conditions of webhooks are compiled, and then checked with the
// types of the objects that they concern, by the CRDs in the manifests and by Kubernetes' own kinds. API servers accept
// an expression that fails for each object of a kind, so it is a warning: for validations the one in the policy's
// status.typeChecking, and the same for variables, match conditions and audit annotations.
//
// Errors are about paths that cannot be read, and about paths without any object.
func Check(ctx context.Context, paths ...string) (*Checked, error) {
	server, err := New(WithPlainHTTP())
	if err != nil {
		return nil, err
	}
	c := &checker{
		server:     server.loopback.withWarnings(),
		list:       server.loopback.definitions,
		loader:     &loader{loopback: server.loopback},
		refused:    map[schema.GroupKind]bool{},
		namespaces: map[string]bool{},
		names:      map[string]source{},
	}
	err = c.check(ctx, paths)
	if err = errors.Join(ctx.Err(), err, server.Stop()); err != nil {
		return nil, err
	}
	slices.SortFunc(c.checked.Refused, Finding.compare)
	c.checked.Refused = slices.Compact(c.checked.Refused)
	slices.SortFunc(c.checked.Warnings, Finding.compare)
	c.checked.Warnings = slices.Compact(c.checked.Warnings)
	return &c.checked, nil
}

func (f Finding) compare(other Finding) int {
	return cmp.Or(cmp.Compare(f.File, other.File), cmp.Compare(f.Line, other.Line), cmp.Compare(f.Field, other.Field), cmp.Compare(f.Message, other.Message))
}

// checker creates the objects of manifests on a server.
type checker struct {
	server     *loopback
	list       func(context.Context) ([]apiextensions.CustomResourceDefinition, error)
	loader     *loader
	types      *hooks.TypeChecker        // nil before it is needed
	refused    map[schema.GroupKind]bool // kinds of CRDs that are not served
	namespaces map[string]bool           // those that were created
	names      map[string]source         // CRDs by their names
	checked    Checked
}

// source is an object in a file.
type source struct {
	*document.Document
	file   string
	object *unstructured.Unstructured
}

func (c *checker) check(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return errors.New("no paths")
	}
	var definitions, classes, others []source
	seen := map[string]bool{}
	for _, path := range paths {
		files, err := filesAt(path)
		if err != nil {
			return err
		}
		for _, file := range files {
			// Paths may overlap.
			if seen[filepath.Clean(file)] || file != path && isKustomization(file) {
				continue
			}
			seen[filepath.Clean(file)] = true
			sources, err := c.read(file)
			if err != nil {
				return err
			}
			for _, s := range sources {
				switch {
				case s.kind().GroupKind() == definitionKind:
					definitions = append(definitions, s)
				case s.isClass():
					classes = append(classes, s)
				default:
					others = append(others, s)
				}
			}
		}
	}
	if len(definitions)+len(classes)+len(others) == 0 && len(c.checked.Refused) == 0 {
		return fmt.Errorf("no objects in %s", strings.Join(paths, ", "))
	}
	for _, s := range definitions {
		if err := c.define(ctx, s); err != nil {
			return err
		}
	}
	if err := c.acceptNames(ctx); err != nil {
		return err
	}
	for _, s := range append(classes, others...) {
		if c.create(ctx, s) && s.kind().Group == admissionv1.GroupName {
			c.checkTypes(ctx, s)
		}
	}
	return nil
}

var definitionKind = schema.GroupKind{Group: apiextensions.GroupName, Kind: "CustomResourceDefinition"}

// isKustomization reports whether a file contains no objects, but names those that do.
func isKustomization(file string) bool {
	switch filepath.Base(file) {
	case "kustomization.yaml", "kustomization.yml":
		return true
	}
	return false
}

// read returns the objects in a file, and notes what is wrong with its text.
func (c *checker) read(file string) ([]source, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	documents, faults := document.Read(content)
	for _, f := range faults {
		c.checked.Refused = append(c.checked.Refused, Finding{File: file, Line: f.Line, Message: f.Message})
	}
	if len(documents) == 0 && len(faults) == 0 {
		c.checked.Refused = append(c.checked.Refused, Finding{File: file, Line: 1, Message: "no object in this file"})
	}
	var sources []source
	for len(documents) > 0 {
		s := source{Document: documents[0], file: file, object: &unstructured.Unstructured{}}
		documents = documents[1:]
		err := json.Unmarshal(s.JSON, &s.object.Object)
		switch gvk := s.kind(); {
		case err != nil || gvk.Kind == "" || gvk.Version == "":
			c.refuse(s, "", "not an object of Kubernetes: it has no apiVersion and kind")
		default:
			items, isList, itemsErr := s.Items()
			if itemsErr != nil {
				c.refuse(s, "items", itemsErr.Error())
			}
			documents = append(items, documents...)
			if !isList {
				sources = append(sources, s)
			}
		}
	}
	return sources, nil
}

// kind returns the kind of an object; empty for what is not an object.
func (s source) kind() schema.GroupVersionKind {
	apiVersion, _, _ := unstructured.NestedString(s.object.Object, "apiVersion")
	kind, _, _ := unstructured.NestedString(s.object.Object, "kind")
	return schema.FromAPIVersionAndKind(apiVersion, kind)
}

// isClass reports whether pods name the object, and are refused where it is missing.
func (s source) isClass() bool {
	switch s.kind().GroupKind() {
	case schema.GroupKind{Group: schedulingv1.GroupName, Kind: "PriorityClass"}, schema.GroupKind{Group: nodev1.GroupName, Kind: "RuntimeClass"}:
		return true
	}
	return false
}

// text returns a field of the object; "" if it is not a text.
func (s source) text(fields ...string) string {
	text, _, _ := unstructured.NestedString(s.object.Object, fields...)
	return text
}

// define creates a CRD. The server converts nothing, because there are no webhooks.
func (c *checker) define(ctx context.Context, s source) error {
	c.checked.Definitions++
	name, kind := s.text("metadata", "name"), schema.GroupKind{Group: s.text("spec", "group"), Kind: s.text("spec", "names", "kind")}
	if version := s.kind().GroupVersion(); version != apiextensions.SchemeGroupVersion {
		c.refuse(s, "apiVersion", fmt.Sprintf("API servers do not serve CustomResourceDefinitions of %s; use %s", version, apiextensions.SchemeGroupVersion))
		c.refused[kind] = true
		return nil
	}
	if first, twice := c.names[name]; twice {
		c.refuse(s, "metadata.name", fmt.Sprintf("%s:%d has a CustomResourceDefinition of this name too", first.file, first.Line("")))
		return nil
	}
	c.names[name] = s
	const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	converts := s.text("spec", "conversion", "strategy") == string(apiextensions.WebhookConverter)
	if !c.accepted(ctx, s, collection, converts) {
		c.refused[kind] = true
		return nil
	}
	if !converts {
		return nil
	}
	plain := s.object.DeepCopy()
	unstructured.RemoveNestedField(plain.Object, "spec", "conversion")
	body, err := plain.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = c.server.post(ctx, collection+"?fieldValidation="+metav1.FieldValidationIgnore, body)
	return err
}

// acceptNames reports CRDs whose names other CRDs have.
func (c *checker) acceptNames(ctx context.Context) error {
	definitions, err := c.list(ctx)
	if err != nil {
		return err
	}
	for i := range definitions {
		d := &definitions[i]
		s, ok := c.names[d.Name]
		for _, condition := range d.Status.Conditions {
			if ok && condition.Type == apiextensions.NamesAccepted && condition.Status == apiextensions.ConditionFalse {
				c.refuse(s, "spec.names", condition.Message)
				c.refused[schema.GroupKind{Group: d.Spec.Group, Kind: d.Spec.Names.Kind}] = true
			}
		}
	}
	return nil
}

// create creates an object of a kind that is served, and reports whether the server accepts it. Only classes are stored.
func (c *checker) create(ctx context.Context, s source) bool {
	c.checked.Objects++
	gvk := s.kind()
	resource, ok := c.loader.resource(gvk)
	switch {
	case !ok && c.refused[gvk.GroupKind()]:
		return false // the CRD is what is wrong
	case !ok && gvk.Group == "apiregistration.k8s.io":
		const text = "it is not checked, because there is no aggregation of other API servers here"
		c.checked.Warnings = append(c.checked.Warnings, Finding{File: s.file, Line: s.Line("kind"), Field: "kind", Message: text})
		return false
	case !ok:
		text := fmt.Sprintf("no CustomResourceDefinition in the given files defines %s of %s", gvk.Kind, gvk.GroupVersion())
		if served := c.loader.servedAs(gvk); len(served) > 0 {
			text = fmt.Sprintf("%s is not served in %s, but in %s", gvk.Kind, gvk.GroupVersion(), strings.Join(served, " and "))
		}
		c.refuse(s, "kind", text)
		return false
	}
	namespace := s.text("metadata", "namespace")
	c.enter(ctx, namespace)
	return c.accepted(ctx, s, collectionPath(gvk.GroupVersion(), resource, namespace), !s.isClass())
}

// checkTypes warns of the expressions in a policy or a configuration of webhooks that fail for the objects that it
// concerns.
func (c *checker) checkTypes(ctx context.Context, s source) {
	object := expressive(s.kind().Kind)
	if object == nil || json.Unmarshal(s.JSON, object) != nil {
		return // a kind without expressions, or an old version with other fields
	}
	if c.types == nil {
		c.types = c.loader.loopback.typeChecker(ctx)
	}
	for _, e := range c.types.Check(object) {
		path := e.Path.String()
		c.checked.Warnings = append(c.checked.Warnings, Finding{File: s.file, Line: s.lineOf(path, e.Message), Field: path, Message: e.Message})
	}
}

// expressive returns an empty object of a kind with expressions; nil for other kinds.
func expressive(kind string) runtime.Object {
	switch kind {
	case "ValidatingAdmissionPolicy":
		return &admissionv1.ValidatingAdmissionPolicy{}
	case "MutatingAdmissionPolicy":
		return &admissionv1.MutatingAdmissionPolicy{}
	case validatingKind:
		return &admissionv1.ValidatingWebhookConfiguration{}
	case mutatingKind:
		return &admissionv1.MutatingWebhookConfiguration{}
	}
	return nil
}

// enter creates a namespace unless it exists. If its name is invalid, the objects in it are refused.
func (c *checker) enter(ctx context.Context, namespace string) {
	if namespace == "" || c.namespaces[namespace] {
		return
	}
	c.namespaces[namespace] = true
	body, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace}})
	if err == nil {
		_, _ = c.server.post(ctx, "/api/v1/namespaces", body)
	}
}

// accepted posts an object to the path of a collection, notes what the server says, and reports whether it accepts the
// object, apart from unknown and duplicate fields. With dry, the server does not store it.
func (c *checker) accepted(ctx context.Context, s source, path string, dry bool) bool {
	post := func(validation string) (warnings []string, err error) {
		query := "?fieldValidation=" + validation
		if dry {
			query += "&dryRun=" + metav1.DryRunAll
		}
		return c.server.post(ctx, path+query, s.JSON)
	}
	warnings, err := post(metav1.FieldValidationStrict)
	if fields := c.strict(s, err); fields {
		warnings, err = post(metav1.FieldValidationIgnore) // what else is wrong
	}
	for _, w := range warnings {
		c.checked.Warnings = append(c.checked.Warnings, Finding{File: s.file, Line: s.Line(""), Message: w})
	}
	if err == nil || apierrors.IsAlreadyExists(err) { // objects that every server has
		return true
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil || len(status.Status().Details.Causes) == 0 {
		c.refuse(s, "", err.Error())
		return false
	}
	for _, cause := range status.Status().Details.Causes {
		c.refuse(s, strings.TrimPrefix(cause.Field, "<nil>"), cause.Message)
	}
	return false
}

// misfit is a field in the error of an object with unknown or duplicate fields.
var misfit = regexp.MustCompile(`((?:unknown|duplicate) field) ("(?:[^"\\]|\\.)*")`)

// strict notes the fields in the error of an object that has unknown or duplicate ones, and reports whether it is such
// an error.
func (c *checker) strict(s source, err error) bool {
	if err == nil {
		return false
	}
	_, fields, found := strings.Cut(err.Error(), "strict decoding error: ")
	for _, m := range misfit.FindAllStringSubmatch(fields, -1) {
		path, err := strconv.Unquote(m[2])
		if err != nil {
			path = m[2]
		}
		c.refuse(s, path, m[1])
	}
	return found
}

// refuse notes what is wrong with a field of an object.
func (c *checker) refuse(s source, field, message string) {
	c.checked.Refused = append(c.checked.Refused, Finding{File: s.file, Line: s.lineOf(field, message), Field: field, Message: message})
}

// inExpression is the line and the column of an error in an expression.
var inExpression = regexp.MustCompile(`ERROR: <input>:(\d+):\d+: `)

// lineOf returns the line of a field, or the one in its text that a message about an expression names.
func (s source) lineOf(field, message string) int {
	if at := inExpression.FindStringSubmatch(message); at != nil && s.Has(field) {
		if line, err := strconv.Atoi(at[1]); err == nil {
			return s.TextLine(field, line)
		}
	}
	return s.line(field)
}

// line returns the line of a field. If a CRD has one version, or the same for all, the server moves it.
func (s source) line(field string) int {
	for moved, from := range map[string]string{
		"spec.validation":               "schema",
		"spec.subresources":             "subresources",
		"spec.additionalPrinterColumns": "additionalPrinterColumns",
		"spec.selectableFields":         "selectableFields",
	} {
		if rest, ok := strings.CutPrefix(field, moved); ok && s.kind().GroupKind() == definitionKind && !s.Has(moved) {
			return s.Line("spec.versions[0]." + from + rest)
		}
	}
	return s.Line(field)
}
