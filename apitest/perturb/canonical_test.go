package perturb

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// secretVersion is a secret whose name was completed, as two runs could have it.
func secretVersion(suffix, uid, time string, generation int64) version {
	return version{resource: "secrets", object: &unstructured.Unstructured{Object: map[string]any{
		"kind": "Secret",
		"metadata": map[string]any{
			"name": "a-" + suffix, "generateName": "a-", "namespace": "default", "uid": uid,
			"creationTimestamp": time, "generation": generation, "annotations": map[string]any{"self": "a-" + suffix + "/" + uid},
		},
		"status": map[string]any{"observedGeneration": generation - 1, "at": time},
	}}}
}

// What is random or counts in a run does not make its end differ; what the program decides does.
func TestCanonical(t *testing.T) {
	end := func(versions ...version) map[string]string {
		state := State{map[string]*unstructured.Unstructured{}}
		for _, v := range versions {
			state.apply(v)
		}
		return canonical{replace: names(versions)}.end(state)
	}
	one := end(secretVersion("x1", "11", "2020-01-01T00:00:00Z", 3))
	if diff := describeEnds(one, end(secretVersion("y2", "22", "2021-01-01T00:00:00.5Z", 7))); diff != "" {
		t.Error(diff)
	}
	named := func(suffix string) version {
		return version{resource: "pods", object: &unstructured.Unstructured{Object: map[string]any{
			"kind": "Pod", "metadata": map[string]any{"name": "a-" + suffix, "namespace": "default", "uid": "of " + suffix},
		}}}
	}
	x, y := end(secretVersion("x1", "11", "", 3), named("x1")), end(secretVersion("y2", "22", "", 3), named("y2"))
	if diff := describeEnds(x, y); diff != "" {
		t.Errorf("a pod that has the completed name of a secret: %s", diff)
	}
	completed := func(suffix, random string) version {
		v := named(suffix)
		v.object.SetGenerateName("a-" + suffix + "-")
		v.object.SetName("a-" + suffix + "-" + random)
		return v
	}
	x, y = end(secretVersion("x1", "11", "", 3), completed("x1", "k")), end(secretVersion("y2", "22", "", 3), completed("y2", "l"))
	if diff := describeEnds(x, y); diff != "" {
		t.Errorf("a pod whose completed name begins with that of a secret: %s", diff)
	}
	other := secretVersion("x1", "11", "2020-01-01T00:00:00Z", 3)
	other.object.SetLabels(map[string]string{"color": "red"})
	if diff := describeEnds(one, end(other)); !strings.Contains(diff, `+ "color": "red"`) {
		t.Errorf("got difference %q, want a label", diff)
	}
	if diff := describeEnds(one, end(other, secretVersion("z", "33", "", 0))); !strings.Contains(diff, "+ secrets default/a-* #2\n") {
		t.Errorf("got difference %q, want another secret", diff)
	}
}

// The order of conditions does not matter, their content does, and an object that is ignored is not there.
func TestIgnored(t *testing.T) {
	end := func(ignore func(*unstructured.Unstructured), conditions ...any) map[string]string {
		object := &unstructured.Unstructured{Object: map[string]any{
			"kind": "Widget", "metadata": map[string]any{"name": "a", "uid": "1"}, "status": map[string]any{"conditions": conditions},
		}}
		state := State{map[string]*unstructured.Unstructured{}}
		state.apply(version{resource: "widgets", object: object})
		return canonical{ignore: ignore, replace: names(nil)}.end(state)
	}
	condition := func(of, status string) map[string]any { return map[string]any{"type": of, "status": status} }
	one := end(nil, condition("Ready", "True"), condition("Available", "False"))
	if diff := describeEnds(one, end(nil, condition("Available", "False"), condition("Ready", "True"))); diff != "" {
		t.Errorf("in another order: %s", diff)
	}
	if diff := describeEnds(one, end(nil, condition("Available", "True"), condition("Ready", "True"))); diff == "" {
		t.Error("the content of conditions is ignored")
	}
	if left := end(func(o *unstructured.Unstructured) { o.Object = nil }); len(left) > 0 {
		t.Errorf("an ignored object is left: %v", left)
	}
	if left := end(nil, "no condition"); len(left) != 1 {
		t.Errorf("got %v", left)
	}
}
