package types_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
)

// manifests are the objects in testdata/policies.yaml.
type manifests struct {
	definitions []*apiextensions.CustomResourceDefinition
	policies    []*admissionv1.ValidatingAdmissionPolicy
}

func load(t *testing.T) manifests {
	t.Helper()
	text, err := os.ReadFile("testdata/policies.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all manifests
	documents := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(text)))
	buffer := make([]byte, len(text))
	for {
		n, err := documents.Read(buffer)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(buffer[:n], []byte("kind: CustomResourceDefinition")) {
			all.definitions = append(all.definitions, parse[apiextensions.CustomResourceDefinition](t, buffer[:n]))
		} else {
			all.policies = append(all.policies, parse[admissionv1.ValidatingAdmissionPolicy](t, buffer[:n]))
		}
	}
}

func parse[T any](t *testing.T, text []byte) *T {
	t.Helper()
	object := new(T)
	if err := sigsyaml.UnmarshalStrict(text, object); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return object
}

// warnings creates the policies, and returns the warnings that a function returns of each.
func (m manifests) warnings(ctx context.Context, clients kubernetes.Interface, of func(*admissionv1.ValidatingAdmissionPolicy) []admissionv1.ExpressionWarning) (string, error) {
	var out strings.Builder
	for _, policy := range m.policies {
		created, err := clients.AdmissionregistrationV1().ValidatingAdmissionPolicies().Create(ctx, policy, metav1.CreateOptions{})
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "== %s\n", created.Name)
		for _, w := range of(created) {
			fmt.Fprintf(&out, "%s:\n%s\n", w.FieldRef, unique.ReplaceAllString(strings.TrimSpace(w.Warning), "$1"))
		}
	}
	return out.String(), nil
}

// unique are the names of types: a kind and the time.
var unique = regexp.MustCompile(`\b([A-Z][A-Za-z]+)\d{15,}\b`)

func TestApitest(t *testing.T) {
	want, err := os.ReadFile("testdata/warnings.txt")
	if err != nil {
		t.Fatal(err)
	}
	m := load(t)
	server := embedded.Start(t, embedded.WithCRDObjects(m.definitions...), embedded.WithControllers(controllers.PolicyTypes()))
	clients, err := kubernetes.NewForConfig(server.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.warnings(t.Context(), clients, func(p *admissionv1.ValidatingAdmissionPolicy) []admissionv1.ExpressionWarning {
		p, failure := clients.AdmissionregistrationV1().ValidatingAdmissionPolicies().Get(t.Context(), p.Name, metav1.GetOptions{})
		if failure != nil {
			t.Fatal(failure)
		}
		if p.Status.TypeChecking == nil || p.Status.ObservedGeneration != p.Generation {
			t.Errorf("%s has the generation %d and the status %+v", p.Name, p.Generation, p.Status)
			return nil
		}
		return p.Status.TypeChecking.ExpressionWarnings
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("with the types of the real server, there are other warnings (-want +got):\n%s", d)
	}
}
