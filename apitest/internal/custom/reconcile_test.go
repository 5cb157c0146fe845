package custom_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// definition returns a small CRD with these names.
func definition(plural, singular, kind, short string) string {
	return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ` + plural + `.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ` + plural + `, singular: ` + singular + `, kind: ` + kind + `, shortNames: [` + short + `]}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
}

func TestNamesThatAreTaken(t *testing.T) {
	tests := []struct {
		name       string
		definition string
		want       []string
	}{
		{"a kind", definition("bars", "bar", "Foo", "ba"), []string{
			`NamesAccepted=False ListKindConflict: "FooList" is already in use`,
			"Established=False NotAccepted: not all names are accepted",
		}},
		{"a singular", definition("bars", "foo", "Bar", "ba"), []string{
			`NamesAccepted=False SingularConflict: "foo" is already in use`,
			"Established=False NotAccepted: not all names are accepted",
		}},
		{"two short names", definition("bars", "bar", "Bar", "fo, foo"), []string{
			`NamesAccepted=False ShortNamesConflict: ["fo" is already in use, "foo" is already in use]`,
			"Established=False NotAccepted: not all names are accepted",
		}},
		{"a plural, as a short name", definition("bars", "bar", "Bar", "foos"), []string{
			`NamesAccepted=False ShortNamesConflict: "foos" is already in use`,
			"Established=False NotAccepted: not all names are accepted",
		}},
		{"none", definition("bars", "bar", "Bar", "ba"), []string{
			"NamesAccepted=True NoConflicts: no conflicts found",
			"Established=True InitialNamesAccepted: the initial names have been accepted",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t)
			s.apply(fooDefinition)
			s.must(http.StatusCreated, http.MethodPost, crdPath, test.definition)
			got := s.must(http.StatusOK, http.MethodGet, crdPath+"/bars.example.com", "")
			if diff := cmp.Diff(test.want, conditions(got.body)); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
			code := http.StatusOK
			if strings.HasPrefix(test.want[0], "NamesAccepted=False") {
				code = http.StatusNotFound
			}
			s.must(code, http.MethodGet, "/apis/example.com/v1/namespaces/a/bars", "")
		})
	}
}

func TestNamesThatBecomeFree(t *testing.T) {
	s := newServer(t)
	s.apply(fooDefinition)
	err := s.registry.Apply(t.Context(), parse(t, definition("bars", "foo", "Bar", "ba")))
	if err == nil || !strings.Contains(err.Error(), `SingularConflict: "foo" is already in use`) {
		t.Errorf("applying a definition whose names are taken: %v", err)
	}
	s.must(http.StatusOK, http.MethodDelete, crdPath+"/foos.example.com", "")
	s.must(http.StatusOK, http.MethodGet, "/apis/example.com/v1/namespaces/a/bars", "")
}

func TestNamesOfGroupsThatBelongToKubernetes(t *testing.T) {
	tests := []struct {
		name, annotation string
		code             int
		want             string
	}{
		{"approved", "https://github.com/kubernetes/kubernetes/pull/1", http.StatusCreated,
			"KubernetesAPIApprovalPolicyConformant=True ApprovedAnnotation: approved in https://github.com/kubernetes/kubernetes/pull/1"},
		{"unapproved", "unapproved, for a test", http.StatusCreated,
			`KubernetesAPIApprovalPolicyConformant=False UnapprovedAnnotation: not approved: "unapproved, for a test"`},
		{"neither", "what", http.StatusUnprocessableEntity, ""},
		{"silent", "", http.StatusUnprocessableEntity, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t)
			body := strings.ReplaceAll(fooDefinition, "example.com", "example.k8s.io")
			body = strings.Replace(body, "metadata: {", `metadata: {annotations: {api-approved.kubernetes.io: "`+test.annotation+`"}, `, 1)
			s.must(test.code, http.MethodPost, crdPath, body)
			if test.want == "" {
				return
			}
			got := s.must(http.StatusOK, http.MethodGet, crdPath+"/foos.example.k8s.io", "")
			if all := conditions(got.body); len(all) != 3 || all[2] != test.want {
				t.Errorf("conditions %q, want the third to be %q", all, test.want)
			}
		})
	}
}

func TestWatchOfADefinition(t *testing.T) {
	s := newServer(t)
	w := s.watch(crdPath + "?watch=true")
	s.must(http.StatusCreated, http.MethodPost, crdPath, fooDefinition)
	s.must(http.StatusCreated, http.MethodPost, foos, foo("one", "{}"))
	s.must(http.StatusOK, http.MethodDelete, crdPath+"/foos.example.com", "")
	accepted, established := "NamesAccepted=True NoConflicts: no conflicts found",
		"Established=True InitialNamesAccepted: the initial names have been accepted"
	want := []string{
		"ADDED",
		"MODIFIED " + accepted + "; Established=False Installing: the initial names have been accepted",
		"MODIFIED " + accepted + "; " + established,
		"MODIFIED " + accepted + "; " + established +
			"; Terminating=True InstanceDeletionPending: CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
		"MODIFIED " + accepted + "; " + established +
			"; Terminating=True InstanceDeletionInProgress: CustomResource deletion is in progress",
		"DELETED " + accepted + "; " + established +
			"; Terminating=True InstanceDeletionInProgress: CustomResource deletion is in progress",
	}
	var got []string
	for range want {
		e, ok := w.next()
		if !ok {
			t.Fatalf("the watch ended after %q", got)
		}
		got = append(got, strings.TrimSpace(e.Type+" "+strings.Join(conditions(e.Object.Object), "; ")))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestStatusIsManagedByTheServer(t *testing.T) {
	s := newServer(t)
	s.apply(fooDefinition)
	got := s.must(http.StatusOK, http.MethodGet, crdPath+"/foos.example.com", "")
	var managers []string
	for _, entry := range got.path("metadata", "managedFields").([]any) {
		e := entry.(map[string]any)
		managers = append(managers, strings.TrimSpace(e["manager"].(string)+" "+e["operation"].(string)+" "+text(e["subresource"])))
	}
	if diff := cmp.Diff([]string{"apitest Update", "kube-apiserver Update status"}, managers); diff != "" {
		t.Errorf("managers (-want +got):\n%s", diff)
	}
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

func TestDefinitionThatWasNeverEstablished(t *testing.T) {
	s := newServer(t)
	s.apply(fooDefinition)
	s.must(http.StatusCreated, http.MethodPost, crdPath, definition("bars", "foo", "Bar", "ba"))
	s.must(http.StatusOK, http.MethodDelete, crdPath+"/bars.example.com", "")
	s.must(http.StatusNotFound, http.MethodGet, crdPath+"/bars.example.com", "")
}

func TestConversionWithABrokenBundle(t *testing.T) {
	s := newServer(t)
	body := strings.Replace(fooDefinition, "  scope: Namespaced\n", `  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: "https://127.0.0.1:1/convert", caBundle: "Cg=="}
`, 1)
	s.must(http.StatusCreated, http.MethodPost, crdPath, body)
	got := s.must(http.StatusOK, http.MethodGet, crdPath+"/foos.example.com", "")
	if diff := cmp.Diff([]string{
		"NamesAccepted=True NoConflicts: no conflicts found",
		"Established=False InvalidCABundle: The conversion webhook CABundle is invalid",
	}, conditions(got.body)); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
}

func TestNamesThatAreGivenUp(t *testing.T) {
	s := newServer(t)
	s.apply(definition("foos", "foo", "Foo", "fo, fu"))
	s.must(http.StatusCreated, http.MethodPost, crdPath, definition("bars", "bar", "Bar", "fu"))
	s.must(http.StatusNotFound, http.MethodGet, "/apis/example.com/v1/namespaces/a/bars", "")
	s.must(http.StatusOK, http.MethodPatch, crdPath+"/foos.example.com",
		`{"spec":{"names":{"shortNames":["fo","fe"]}}}`, "application/merge-patch+json")
	s.must(http.StatusOK, http.MethodGet, "/apis/example.com/v1/namespaces/a/bars", "")
	got := s.must(http.StatusOK, http.MethodGet, crdPath+"/foos.example.com", "")
	if diff := cmp.Diff([]any{"fo", "fe"}, got.path("status", "acceptedNames", "shortNames")); diff != "" {
		t.Errorf("short names (-want +got):\n%s", diff)
	}
}
