package plugins

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const documentHead = `<!-- Written by LISTWATCH_UPDATE=1 go test ./internal/builtin/plugins -run TestDocument, in apitest. -->
# Admission plugins

` + "`apitest`" + ` does what the admission plugins of a kube-apiserver 1.37 do that are enabled by default, with its errors and
warnings; [the cases](conformance.md#admission) compare them. A plugin reads other objects as they are stored, so what a
write changes is in force when its response arrives: a default storage class, or the labels of a namespace.

| plugin | here | effect |
|---|---|---|
`

const documentTail = `
- *on*: enabled; ` + "`--disable-admission-plugins`" + ` of the command line, or of ` + "`FlagOptions`" + `, disables it.
- *optional*: enabled by ` + "`--enable-admission-plugins`" + `. A kube-apiserver enables ServiceAccount, but then rejects pods unless a
  controller has created the account "default" of their namespace. With ` + "`controllers.ServiceAccounts`" + ` it works here as there.
- *gated*: a kube-apiserver enables it, but a feature gate that is off by default disables its effect.
- *no*: not part of the server. A kube-apiserver does not enable it by default.

The kubelet's finalizers and conditions, and what controllers of a cluster remove or add later, are not admission: the
finalizers of StorageObjectInUseProtection stay until somebody removes them, and the taint of a new node too.
`

var stateNames = map[State]string{Default: "on", Optional: "optional", Gated: "gated", Missing: "no"}

// TestDocument checks that docs/admission.md is what the table says.
func TestDocument(t *testing.T) {
	var rows strings.Builder
	for _, p := range All() {
		fmt.Fprintf(&rows, "| %s | %s | %s |\n", p.Name, stateNames[p.State], p.Effect)
	}
	got := documentHead + rows.String() + documentTail
	file := filepath.Join("..", "..", "..", "..", "docs", "admission.md")
	if os.Getenv("LISTWATCH_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s is stale: run this test with LISTWATCH_UPDATE=1", file)
	}
}
