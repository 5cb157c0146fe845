//go:build programs

package appliers_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/runtime/dynamic"
)

// someone is the field manager of the writes of scripts.
const someone = "someone"

// target is what a command of a script reads or writes: objects of a resource, or one of them.
type target struct {
	dynamic.ResourceInterface
	name string // "" for all
}

// parse returns the target that an argument names.
func (s *session) parse(argument string) (target, error) {
	path, cluster := strings.CutPrefix(argument, "cluster:")
	parts := strings.Split(path, "/")
	if !strings.Contains(parts[0], ".") && !slices.Contains([]string{"apps", "batch", "policy"}, parts[0]) {
		parts = append([]string{""}, parts...)
	}
	if len(parts) < 3 || len(parts) > 4 {
		return target{}, fmt.Errorf("%s is not GROUP/VERSION/PLURAL[/NAME]", argument)
	}
	resource := s.client.Resource(schema.GroupVersionResource{Group: parts[0], Version: parts[1], Resource: parts[2]})
	t := target{ResourceInterface: resource.Namespace(s.namespace)}
	if cluster {
		t.ResourceInterface = resource
	}
	if len(parts) == 4 {
		t.name = parts[3]
	}
	return t, nil
}

// command is a command of scripts that reads or writes objects; args are all after the target.
type command struct {
	name string
	args int
	do   func(s *session, t target, args []string) (output string, err error)
}

var commands = []command{
	{name: "show", do: show},
	{name: "patch", args: 1, do: func(s *session, t target, args []string) (string, error) {
		_, err := t.Patch(s.ctx, t.name, types.MergePatchType, []byte(args[0]), metav1.PatchOptions{FieldManager: someone})
		return "", err
	}},
	{name: "apply", args: 1, do: func(s *session, t target, args []string) (string, error) {
		_, err := t.Patch(s.ctx, t.name, types.ApplyPatchType, []byte(args[0]), metav1.PatchOptions{FieldManager: someone})
		return "", err
	}},
	{name: "remove", do: func(s *session, t target, _ []string) (string, error) {
		background := metav1.DeletePropagationBackground
		return "", t.Delete(s.ctx, t.name, metav1.DeleteOptions{PropagationPolicy: &background})
	}},
}

// run runs the command in a script. What the server rejects is printed.
func (c command) run(ts *testscript.TestScript, _ bool, args []string) {
	s := ts.Value(sessionKey{}).(*session)
	if len(args) != c.args+1 {
		ts.Fatalf("%d arguments, want %d", len(args), c.args+1)
	}
	t, err := s.parse(args[0])
	ts.Check(err)
	output, err := c.do(s, t, args[1:])
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		output, err = err.Error(), nil
	}
	ts.Check(err)
	ts.Check(s.log(append([]string{c.name}, args...), output))
}

// show returns objects as YAML, without what depends on the run.
func show(s *session, t target, _ []string) (string, error) {
	list, err := t.List(s.ctx, metav1.ListOptions{})
	if err != nil {
		return "", err
	}
	slices.SortFunc(list.Items, func(a, b unstructured.Unstructured) int { return strings.Compare(a.GetName(), b.GetName()) })
	var texts []string
	for _, object := range list.Items {
		if t.name != "" && t.name != object.GetName() || object.GetName() == "kube-root-ca.crt" {
			continue
		}
		fields := managed(object)
		clean(object)
		text, err := yaml.Marshal(object.Object)
		if err != nil {
			return "", err
		}
		texts = append(texts, string(text)+fields)
	}
	if len(texts) == 0 {
		return "nothing", nil
	}
	return strings.Join(texts, "---\n"), nil
}

// managed returns the managed fields of an object, a line for each manager.
func managed(object unstructured.Unstructured) string {
	var lines []string
	for _, entry := range object.GetManagedFields() {
		by := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s", entry.Manager, entry.Operation, entry.APIVersion, entry.Subresource)), " ")
		lines = append(lines, fmt.Sprintf("# %s: %s\n", by, entry.FieldsV1.GetRawString()))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// clean removes from an object what depends on the run, and its managed fields.
func clean(object unstructured.Unstructured) {
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
	if object.GetKind() == "Secret" {
		unstructured.RemoveNestedField(object.Object, "data", "release") // packed by helm
	}
}
