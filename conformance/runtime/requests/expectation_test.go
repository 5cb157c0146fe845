package requests

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// expectation is the expected effect of a call, whoever generated it.
type expectation struct {
	input, call string
	// does is "VERB path?query" of the only request, or "verb group/version/ resource/subresource
	// in namespace" of the only action.
	does string
	// contentType is the request's; empty if it has no body.
	contentType string
	// holds is a part of the body, or of the action.
	holds string
}

const (
	protobuf  = "application/vnd.kubernetes.protobuf"
	plainJSON = "application/json"
)

var expectations = []expectation{
	{"kubernetes", "client AppsV1.Deployments.Get plain", "GET /apis/apps/v1/namespaces/here/deployments/thing", "", ""},
	{"kubernetes", "client AppsV1.Deployments.Get full", "GET /apis/apps/v1/namespaces/here/deployments/thing?resourceVersion=7", "", ""},
	{"kubernetes", "client AppsV1.Deployments.List plain", "GET /apis/apps/v1/namespaces/here/deployments", "", ""},
	{"kubernetes", "client AppsV1.Deployments.List plain in no namespace", "GET /apis/apps/v1/deployments", "", ""},
	{"kubernetes", "client AppsV1.Deployments.List full", "GET /apis/apps/v1/namespaces/here/deployments?allowWatchBookmarks=true&continue=next&fieldSelector=metadata.name%3Dthing&labelSelector=colour+in+%28blue%2Cred%29&limit=500&resourceVersion=7&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeout=30s&timeoutSeconds=30", "", ""},
	{"kubernetes", "client AppsV1.Deployments.Watch plain", "GET /apis/apps/v1/namespaces/here/deployments?watch=true", "", ""},
	{"kubernetes", "client AppsV1.Deployments.Create full", "POST /apis/apps/v1/namespaces/here/deployments?dryRun=All&fieldManager=driver&fieldValidation=Strict", protobuf, "Deployment"},
	{"kubernetes", "client AppsV1.Deployments.Update full", "PUT /apis/apps/v1/namespaces/here/deployments/thing?dryRun=All&fieldManager=driver&fieldValidation=Warn", protobuf, "Deployment"},
	{"kubernetes", "client AppsV1.Deployments.UpdateStatus plain", "PUT /apis/apps/v1/namespaces/here/deployments/thing/status", protobuf, "Deployment"},
	{"kubernetes", "client AppsV1.Deployments.Patch plain", "PATCH /apis/apps/v1/namespaces/here/deployments/thing", "application/json-patch+json", `"op":"add"`},
	{"kubernetes", "client AppsV1.Deployments.Patch full", "PATCH /apis/apps/v1/namespaces/here/deployments/thing/status?dryRun=All&fieldManager=driver&fieldValidation=Ignore&force=true", "application/merge-patch+json", `{"colour":"red"}`},
	{"kubernetes", "client AppsV1.Deployments.Patch strategic", "PATCH /apis/apps/v1/namespaces/here/deployments/thing/one/two", "application/strategic-merge-patch+json", `{"colour":"red"}`},
	{"kubernetes", "client AppsV1.Deployments.Apply full", "PATCH /apis/apps/v1/namespaces/here/deployments/thing?dryRun=All&fieldManager=driver&force=true", "application/apply-patch+yaml", `"kind":"Deployment","apiVersion":"apps/v1"`},
	{"kubernetes", "client AppsV1.Deployments.ApplyStatus plain", "PATCH /apis/apps/v1/namespaces/here/deployments/thing/status?force=false", "application/apply-patch+yaml", `"name":"thing"`},
	{"kubernetes", "client AppsV1.Deployments.Delete full", "DELETE /apis/apps/v1/namespaces/here/deployments/thing", protobuf, "Foreground"},
	{"kubernetes", "client AppsV1.Deployments.DeleteCollection plain", "DELETE /apis/apps/v1/namespaces/here/deployments", protobuf, "DeleteOptions"},
	{"kubernetes", "client AppsV1.Deployments.GetScale plain", "GET /apis/apps/v1/namespaces/here/deployments/thing/scale", "", ""},
	{"kubernetes", "client AppsV1.Deployments.UpdateScale plain", "PUT /apis/apps/v1/namespaces/here/deployments/thing/scale", protobuf, "autoscaling/v1"},
	{"kubernetes", "client AppsV1.Deployments.ApplyScale plain", "PATCH /apis/apps/v1/namespaces/here/deployments/thing/scale?force=false", "application/apply-patch+yaml", `"kind":"Scale"`},
	{"kubernetes", "client AppsV1beta2.Deployments.Get plain", "GET /apis/apps/v1beta2/namespaces/here/deployments/thing", "", ""},
	{"kubernetes", "client CoreV1.Pods.UpdateEphemeralContainers plain", "PUT /api/v1/namespaces/here/pods/thing/ephemeralcontainers", protobuf, "Pod"},
	{"kubernetes", "client CoreV1.ServiceAccounts.CreateToken plain", "POST /api/v1/namespaces/here/serviceaccounts/thing/token", protobuf, "TokenRequest"},
	{"kubernetes", "client CoreV1.Endpoints.Get plain", "GET /api/v1/namespaces/here/endpoints/thing", "", ""},
	{"kubernetes", "client CoreV1.Nodes.Get plain", "GET /api/v1/nodes/thing", "", ""},
	{"kubernetes", "client CertificatesV1.CertificateSigningRequests.UpdateApproval plain", "PUT /apis/certificates.k8s.io/v1/certificatesigningrequests/thing/approval", protobuf, "CertificateSigningRequest"},
	{"kubernetes", "client AuthenticationV1.TokenReviews.Create plain", "POST /apis/authentication.k8s.io/v1/tokenreviews", protobuf, "TokenReview"},
	{"api-path", "client MapsV1.Routes.Get plain", "GET /elsewhere/maps.example.com/v1/namespaces/here/routes/thing", "", ""},
	{"methods", "client WorksV1.Pumps.Create plain", "POST /apis/works.example.com/v1/namespaces/here/pumps", plainJSON, `"kind":"Pump","apiVersion":"works.example.com/v1"`},
	{"methods", "client WorksV1.Pumps.Prime plain", "POST /apis/works.example.com/v1/namespaces/here/pumps/thing/priming", plainJSON, `"kind":"Priming"`},
	{"methods", "client WorksV1.Pumps.Find plain", "GET /apis/works.example.com/v1/namespaces/here/pumps/thing", "", ""},
	{"methods", "client WorksV1.Pumps.Survey plain", "GET /apis/works.example.com/v1/namespaces/here/pumps", "", ""},
	{"apply", "client FieldsV1.Fields.ApplyYield plain", "PATCH /apis/fields.example.com/v1/namespaces/here/fields/thing/harvest?force=false", "application/apply-patch+yaml", `"kind":"Yield"`},
	{"apply", "client FieldsV1.Fences.Apply plain", "PATCH /apis/fields.example.com/v1/fences/thing?force=false", "application/apply-patch+yaml", `"kind":"Fence"`},

	{"kubernetes", "fake NewClientset AppsV1.Deployments.Get plain", "get apps/v1/deployments in here", "", `"Name":"thing"`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.List full", "list apps/v1/deployments in here", "", `"labelSelector":"colour in (blue,red)"`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.Watch plain", "watch apps/v1/deployments in here", "", `"watch":true`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.Create full", "create apps/v1/deployments in here", "", `"fieldValidation":"Strict"`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.UpdateStatus plain", "update apps/v1/deployments/status in here", "", `"name":"thing"`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.Patch full", "patch apps/v1/deployments/status in here", "", `"PatchType":"application/merge-patch+json"`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.Apply plain", "patch apps/v1/deployments in here", "", `"PatchType":"application/apply-patch+yaml"`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.ApplyScale plain", "patch apps/v1/deployments/scale in here", "", `"Name":"thing"`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.Delete full", "delete apps/v1/deployments in here", "", `"gracePeriodSeconds":5`},
	{"kubernetes", "fake NewClientset AppsV1.Deployments.DeleteCollection full", "delete-collection apps/v1/deployments in here", "", `"fieldSelector":"metadata.name=thing"`},
	{"kubernetes", "fake NewSimpleClientset CoreV1.ServiceAccounts.CreateToken plain", "create v1/serviceaccounts/token in here", "", `"Name":"thing"`},
	{"kubernetes", "fake NewSimpleClientset CoreV1.Nodes.Update plain", "update v1/nodes in ", "", `"name":"thing"`},
}

// expect checks the expectations for an input.
func expect(t *testing.T, input string, calls map[string]transcript.Call) {
	t.Helper()
	for _, e := range expectations {
		if e.input != input {
			continue
		}
		does, contentType, body := effect(calls[e.call])
		if does != e.does || contentType != e.contentType || !strings.Contains(body, e.holds) {
			t.Errorf("%s:\n got %s (%s) %s\nwant %s (%s) ..%s..", e.call, does, contentType, body, e.does, e.contentType, e.holds)
		}
	}
}

// effect describes what a call did; it is empty if it did nothing, or more than one thing.
func effect(c transcript.Call) (does, contentType, body string) {
	switch {
	case len(c.Requests) == 1:
		r := c.Requests[0]
		does = r.Method + " " + r.Path
		if r.Query != "" {
			does += "?" + r.Query
		}
		return does, r.Header["Content-Type"], r.Body
	case len(c.Actions) == 1:
		a := c.Actions[0]
		return a.Verb + " " + path.Join(a.Group, a.Version, a.Resource, a.Subresource) + " in " + a.Namespace, "", a.Detail
	}
	return "", "", ""
}

// plausible checks that the driver had an effect: each plain call reached the server or the fake,
// and each informer received an existing object, the addition and change of a second one, and the
// deletion of the first one.
func plausible(t *testing.T, in Input, f Flavour, calls []transcript.Call) {
	t.Helper()
	driven := map[string]int{}
	for _, c := range calls {
		part, rest, _ := strings.Cut(c.Name, " ")
		driven[part]++
		does, _, _ := effect(c)
		switch {
		case strings.Contains(c.Error, noProtobuf):
		case (part == "client" || part == "fake") && strings.HasSuffix(rest, " plain") && does == "":
			t.Errorf("%s does nothing: %s", c.Name, c.Error)
		case strings.HasPrefix(c.Error, "no argument"):
			t.Errorf("%s: %s", c.Name, c.Error)
		case part == "informer" && strings.Count(rest, ".") == 2:
			informed(t, c)
		}
	}
	least := map[string]int{"client": 1, "fake": 1}
	switch {
	case in.Name == Kubernetes().Name:
		least = kubernetesCalls
	case in.Name == Builtin().Name:
		least = map[string]int{"client": 2000, "answer": 300, "raw": 300, "fake": 4000, "life": 1500, "informer": 150, "expansion": 75}
	case slices.Contains(in.Job(f.Name).Clientset, "--fake-clientset=false"):
		delete(least, "fake")
	}
	for part, n := range least {
		if driven[part] < n {
			t.Errorf("only %d calls of %s, want %d", driven[part], part, n)
		}
	}
}

// noProtobuf is the error of a client that prefers protobuf for a type without a protobuf form.
const noProtobuf = "does not implement the protobuf marshalling interface"

// kubernetesCalls are the minimum numbers of calls of each part for the built-in API.
var kubernetesCalls = map[string]int{
	"client": 2000, "answer": 300, "raw": 300, "fake": 4000, "life": 1500, "construct": 200,
	"informer": 150, "typed": 4, "factory": 10,
}

func informed(t *testing.T, c transcript.Call) {
	t.Helper()
	if len(c.Events) < 4 {
		t.Errorf("%s: %d events: %s", c.Name, len(c.Events), c.Error)
		return
	}
	for i, want := range []struct{ verb, about string }{
		{"add ", "/first "}, {"add ", "/second "}, {"update ", "/second "}, {"delete ", "/first "},
	} {
		if !strings.HasPrefix(c.Events[i], want.verb) || !strings.Contains(c.Events[i], want.about) {
			t.Errorf("%s: event %d is %q", c.Name, i, c.Events[i])
		}
	}
}

// TestExpectations checks that each expectation is about a driven input.
func TestExpectations(t *testing.T) {
	inputs, err := Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	driven := map[string]bool{Kubernetes().Name: true}
	for _, in := range inputs {
		driven[in.Name] = true
	}
	for _, e := range expectations {
		if !driven[e.input] {
			t.Errorf("%s is not driven, but %q is expected of it", e.input, e.call)
		}
	}
	for _, name := range chosen {
		if !driven[name] {
			t.Errorf("there is no case %s, or it cannot be compared", name)
		}
	}
}
