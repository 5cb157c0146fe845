package discovery_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"
)

// A cluster in both forms of discovery.
const (
	coreVersions = `{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"10.0.0.1:6443"}]}`
	coreV1       = `{"kind":"APIResourceList","groupVersion":"v1","resources":[
		{"name":"nodes","singularName":"node","namespaced":false,"kind":"Node","verbs":["get","list"],"shortNames":["no"],"storageVersionHash":"x="},
		{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["create","get"],"categories":["all"]},
		{"name":"pods/log","singularName":"","namespaced":true,"kind":"Pod","verbs":["get"]}]}`
	coreAggregated = `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{"creationTimestamp":null},"versions":[
		{"version":"v1","freshness":"Current","resources":[
			{"resource":"nodes","responseKind":{"group":"","version":"","kind":"Node"},"scope":"Cluster","singularResource":"node","verbs":["get","list"],"shortNames":["no"]},
			{"resource":"pods","responseKind":{"group":"","version":"","kind":"Pod"},"scope":"Namespaced","singularResource":"pod","verbs":["create","get"],"categories":["all"],
			 "subresources":[{"subresource":"log","responseKind":{"group":"","version":"","kind":"Pod"},"verbs":["get"]},{"subresource":"none"}]}]}]}]}`
	groups = `{"kind":"APIGroupList","apiVersion":"v1","groups":[
		{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"},{"groupVersion":"apps/v1beta1","version":"v1beta1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}},
		{"name":"example.com","versions":[{"groupVersion":"example.com/v1alpha1","version":"v1alpha1"},{"groupVersion":"example.com/v2","version":"v2"}],"preferredVersion":{"groupVersion":"example.com/v2","version":"v2"}}]}`
	appsV1           = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1","resources":[{"name":"deployments","kind":"Deployment","namespaced":true,"verbs":["get"]}]}`
	appsV1beta1      = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1beta1","resources":[{"name":"scales","kind":"Scale","namespaced":true,"verbs":["get"]},{"name":"deployments","kind":"Deployment","namespaced":true,"verbs":["get"]}]}`
	exampleV1alpha1  = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v1alpha1","resources":[{"name":"foos","kind":"Foo"},{"name":"bars","kind":"Bar"}]}`
	exampleV2        = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v2","resources":[{"name":"foos","kind":"Foo","group":"other","version":"v3"}]}`
	groupsAggregated = `{"items":[` + appsAggregated + `,{"metadata":{"name":"example.com"},"versions":[
		{"version":"v2","resources":[{"resource":"foos","responseKind":{"kind":"Foo"},"scope":"Cluster"},{"resource":"kindless","subresources":[{"subresource":"s","responseKind":{"kind":"S"},"verbs":["get"]}]}]},
		{"version":"v1alpha1","resources":[{"resource":"foos","responseKind":{"kind":"Foo"}},{"resource":"bars","responseKind":{"kind":"Bar"}}]}]}]}`
	appsAggregated = `{"metadata":{"name":"apps"},"versions":[
		{"version":"v1","freshness":"Current","resources":[{"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"scope":"Namespaced","verbs":["get"]}]},
		{"version":"v1beta1","freshness":"Current","resources":[{"resource":"deployments","responseKind":{"kind":"Deployment"},"scope":"Namespaced","verbs":["get"]}]}]}`
	staleAggregated = `{"items":[` + appsAggregated + `,{"metadata":{"name":"example.com"},"versions":[
		{"version":"v2","freshness":"Stale","resources":[{"resource":"foos","responseKind":{"kind":"Foo"}}]},
		{"version":"v1alpha1","freshness":"Current","resources":[{"resource":"bars","responseKind":{"kind":"Bar"}}]}]}]}`
	versionInfo = `{"major":"1","minor":"37","gitVersion":"v1.37.2","gitCommit":"abc","gitTreeState":"clean","buildDate":"2026-01-01T00:00:00Z","goVersion":"go1.26","compiler":"gc","platform":"linux/amd64"}`
)

// legacyServer does not support aggregated discovery.
func legacyServer() map[string]answer {
	return map[string]answer{
		"/version":                   {body: versionInfo},
		"/api":                       {body: coreVersions},
		"/api/v1":                    {body: coreV1},
		"/apis":                      {body: groups},
		"/apis/apps/v1":              {body: appsV1},
		"/apis/apps/v1beta1":         {body: appsV1beta1},
		"/apis/example.com/v1alpha1": {body: exampleV1alpha1},
		"/apis/example.com/v2":       {body: exampleV2},
	}
}

// modernServer supports both forms.
func modernServer() map[string]answer {
	return with(legacyServer(), map[string]answer{
		"/api":  {body: coreVersions, aggregated: coreAggregated},
		"/apis": {body: groups, aggregated: groupsAggregated},
	})
}

func with(answers, more map[string]answer) map[string]answer {
	maps.Copy(answers, more)
	return answers
}

func without(answers map[string]answer, path string) map[string]answer {
	delete(answers, path)
	return answers
}

func TestDiscovery(t *testing.T) {
	unavailable := failure(http.StatusServiceUnavailable, "ServiceUnavailable")
	forbidden := failure(http.StatusForbidden, "Forbidden")
	servers := map[string]map[string]answer{
		"legacy":          legacyServer(),
		"modern":          modernServer(),
		"nothing":         {},
		"empty documents": {"/api": {body: "{}"}, "/apis": {body: "{}"}, "/version": {body: "{}"}},
		"empty aggregated documents": {
			"/api":  {contentType: aggregatedJSON, body: "{}"},
			"/apis": {contentType: aggregatedJSON, body: "{}"},
		},
		"no core group, legacy":      without(legacyServer(), "/api"),
		"no core group, modern":      without(modernServer(), "/api"),
		"no named groups, legacy":    without(legacyServer(), "/apis"),
		"no named groups, modern":    without(modernServer(), "/apis"),
		"no core version, legacy":    without(legacyServer(), "/api/v1"),
		"core group forbidden":       with(modernServer(), map[string]answer{"/api": forbidden}),
		"named groups forbidden":     with(modernServer(), map[string]answer{"/apis": forbidden}),
		"not acceptable":             with(modernServer(), map[string]answer{"/apis": failure(http.StatusNotAcceptable, "NotAcceptable")}),
		"failure without status":     with(modernServer(), map[string]answer{"/apis": {code: http.StatusInternalServerError, contentType: "text/plain", body: "oops"}}),
		"unavailable group version":  with(legacyServer(), map[string]answer{"/apis/example.com/v2": unavailable}),
		"missing group version":      without(legacyServer(), "/apis/apps/v1"),
		"malformed group version":    with(legacyServer(), map[string]answer{"/apis/apps/v1": {body: `{"kind":"APIResourceList","apiVersion":"v1","resources":{}}`}}),
		"group version of text":      with(legacyServer(), map[string]answer{"/apis/apps/v1": {contentType: "text/plain", body: appsV1}}),
		"unavailable forbidden":      with(legacyServer(), map[string]answer{"/apis/example.com/v2": unavailable, "/apis/apps/v1": forbidden}),
		"stale":                      with(modernServer(), map[string]answer{"/apis": {aggregated: staleAggregated, body: groups}}),
		"aggregated core group only": with(legacyServer(), map[string]answer{"/api": {aggregated: coreAggregated, body: coreVersions}}),
		"legacy core group only":     with(legacyServer(), map[string]answer{"/apis": {aggregated: groupsAggregated, body: groups}}),
		"parameters in other order": with(modernServer(), map[string]answer{
			"/apis": {contentType: "application/json; charset=utf-8; as=APIGroupDiscoveryList; v=v2; g=apidiscovery.k8s.io", body: groupsAggregated},
		}),
		"aggregated in an older version": with(legacyServer(), map[string]answer{
			"/apis": {contentType: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", body: groupsAggregated},
		}),
		"unreadable content type": with(legacyServer(), map[string]answer{"/apis": {contentType: "application/json;;", body: groups}}),
		"a group without versions": with(legacyServer(), map[string]answer{
			"/apis": {body: `{"groups":[{"name":"apps","versions":[]}]}`},
		}),
		"no version preferred": with(legacyServer(), map[string]answer{
			"/apis": {body: `{"groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1beta1","version":"v1beta1"},{"groupVersion":"apps/v1","version":"v1"}]}]}`},
		}),
		"other letters": with(legacyServer(), map[string]answer{
			"/apis": {body: `{"Groups":[{"NAME":"apps","Versions":[{"groupversion":"apps/v1","VERSION":"v1"}]}]}`},
		}),
	}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		t.Run(name, func(t *testing.T) {
			for _, f := range []form{{}, {noPeer: true}, {legacy: true}, {legacy: true, noPeer: true}} {
				for _, call := range slices.Sorted(maps.Keys(calls)) {
					compare(t, &server{answers: servers[name]}, f, call)
				}
			}
		})
	}
}
