package input

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
)

func TestSmallMachinesDiffer(t *testing.T) {
	const n = 1_000 // more than a block
	var text bytes.Buffer
	if err := WriteSmallList(&text, n); err != nil {
		t.Fatal(err)
	}
	if size := text.Len() / n; size < 450 || size > 550 {
		t.Errorf("a small machine has %d bytes of JSON, want 0.5 KB", size)
	}
	var list v1.MachineList
	if err := json.Unmarshal(text.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range list.Items {
		names[m.Namespace+"/"+m.Name+"@"+m.ResourceVersion+string(m.UID)] = true
	}
	if len(names) != n || list.ResourceVersion != ResourceVersion(n) {
		t.Errorf("%d different objects at %s", len(names), list.ResourceVersion)
	}
}

func TestSmallEvents(t *testing.T) {
	var text bytes.Buffer
	if err := WriteSmallEvents(&text, "ADDED", 2); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for _, line := range lines {
		var event metav1.WatchEvent
		var object v1.Machine
		decode(t, line, &event)
		decode(t, string(event.Object.Raw), &object)
		if event.Type != "ADDED" || object.Kind != "Machine" {
			t.Errorf("got %s of a %s", event.Type, object.Kind)
		}
	}
	if len(lines) != 2 {
		t.Errorf("%d events, want 2", len(lines))
	}
}
