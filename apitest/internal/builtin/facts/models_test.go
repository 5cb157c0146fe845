package facts_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
)

func TestModels(t *testing.T) {
	name, err := facts.ModelOf("apps", "v1", "Deployment")
	if err != nil || name != "io.k8s.api.apps.v1.Deployment" {
		t.Fatalf("model %q, %v", name, err)
	}
	models, err := facts.Models(name, "com.example.Unknown")
	if err != nil {
		t.Fatal(err)
	}
	for name, model := range models {
		if len(model.Properties) == 0 && len(model.Type) == 0 && len(model.OneOf) == 0 && model.Description == "" {
			t.Errorf("%s is empty", name)
		}
	}
	policy := models["io.k8s.api.core.v1.PodSpec"].Properties["restartPolicy"]
	if len(policy.Enum) != 3 || !strings.Contains(policy.Description, "Possible enum values") {
		t.Errorf("restart policy: %v", policy)
	}
	if key := models["io.k8s.api.core.v1.PodSpec"].Properties["containers"].Extensions["x-kubernetes-patch-merge-key"]; key != "name" {
		t.Errorf("merge key of containers: %v", key)
	}
	if name, err := facts.ModelOf("example.com", "v1", "Deployment"); name != "" || err != nil {
		t.Errorf("an unknown kind has the model %q, %v", name, err)
	}
}

func TestColumns(t *testing.T) {
	pods := facts.Columns("", "v1", "pods")
	if len(pods) != 9 || pods[1].Name != "Ready" || pods[5].Priority != 1 {
		t.Errorf("columns of pods: %v", pods)
	}
	if facts.Columns("example.com", "v1", "pods") != nil {
		t.Error("an unknown resource has columns")
	}
}

func TestUnpackDamaged(t *testing.T) {
	packed, err := facts.Pack(map[string]int{"a": 1})
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]int
	for i := range packed {
		if err := facts.Unpack(packed[:i], &value); err == nil {
			t.Fatalf("%d bytes of %d are read", i, len(packed))
		}
	}
	if err := facts.Unpack(packed, &value); err != nil || value["a"] != 1 {
		t.Errorf("read %v, %v", value, err)
	}
}

func BenchmarkModels(b *testing.B) {
	for b.Loop() {
		if _, err := facts.Models("io.k8s.api.core.v1.Pod"); err != nil {
			b.Fatal(err)
		}
	}
}
