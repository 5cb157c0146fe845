package faults_test

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/rest"
)

// fault is a failure, for any call, and its expected result.
type fault struct {
	name   string
	answer answer
	want   want            // the error of all calls
	but    map[string]want // except for these calls
}

// wanted returns the error that a call must return.
func (f *fault) wanted(c call) want {
	for names, w := range f.but {
		if slices.Contains(strings.Split(names, ", "), c.name) {
			return w
		}
	}
	return f.want
}

const login = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><form>...</form></body></html>"

var faults = []fault{
	{"no fault", well, nil, nil},

	// The body ends too early, or never.
	{"cut in an object", cutAfter(`"spec":{`, false), lost.and(is(io.ErrUnexpectedEOF)), map[string]want{"watch": nil}},
	{"cut in a string", cutAfter(`"resourceVersi`, false), lost.and(is(io.ErrUnexpectedEOF)), map[string]want{"watch": nil}},
	{"cut in a string, chunked", cutAfter(`"resourceVersi`, true), lost.and(is(io.ErrUnexpectedEOF)), map[string]want{"watch": nil}},
	{"cut between items", cutAfter(`},`, true), lost.and(is(io.ErrUnexpectedEOF)), map[string]want{"watch": nil}},
	{"cut before the body", raw(func(string) string { return head + "Content-Length: 100\r\n\r\n" }), lost.and(is(io.ErrUnexpectedEOF)), map[string]want{"watch": nil}},
	{"cut before the last brace", changed(func(good string) string { return strings.TrimRight(good, "}\n") }), undecodable.and(is(io.ErrUnexpectedEOF)), map[string]want{"delete, watch": nil, "groups, version": noDocument}},
	{"garbage after the body", changed(func(good string) string { return good + "x" }), undecodable, map[string]want{"delete": nil, "watch": broken, "groups, version": noDocument}},
	{"a second object after the body", changed(func(good string) string { return good + good }), undecodable, map[string]want{"delete, watch": nil, "groups, version": noDocument}},
	{"length too long", raw(func(good string) string { return head + "Content-Length: 99999\r\n\r\n" + good }), lost.and(is(io.ErrUnexpectedEOF)), map[string]want{"watch": nil}},
	{"length too short", raw(func(good string) string { return head + "Content-Length: 20\r\n\r\n" + good }), undecodable, map[string]want{"delete, watch": nil, "groups, version": noDocument}},
	{"broken chunk", raw(func(good string) string { return head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + good }), lost, map[string]want{"watch": nil}},
	{"broken answer", raw(func(string) string { return "SSH-2.0-OpenSSH_9.9\r\n" }), want(isA[*url.Error]), nil},
	{"no answer", raw(func(string) string { return "" }), want(isA[*url.Error]).and(is(io.EOF)), map[string]want{"watch": nil}},
	{"no answer once", raw(func(string) string { return "" }).once(), nil, map[string]want{"create, update, delete": want(isA[*url.Error]).and(is(io.EOF))}},
	{"truncated gzip", gzipped(func(z []byte) []byte { return z[:len(z)-12] }), lost.and(is(io.ErrUnexpectedEOF)), map[string]want{"watch": nil}},
	{"corrupt gzip", gzipped(func(z []byte) []byte { z[len(z)/2] ^= 0xff; z[len(z)-5] ^= 0xff; return z }), lost, map[string]want{"list, streamed list": undecodable, "watch": broken}},
	{"gzip without end", gzipped(func(z []byte) []byte { return z[:len(z)-4] }), lost.and(is(io.ErrUnexpectedEOF)), map[string]want{"watch": nil}},
	{"no gzip", gzipped(func([]byte) []byte { return []byte("this is not compressed") }), lost, map[string]want{"watch": broken}},

	// The body is not an API object.
	{"login page", status(http.StatusOK, "text/html", login), strange.and(isA[*rest.ContentTypeError]).and(text("a proxy or a login")), map[string]want{"groups, version": noDocument}},
	{"login page labelled JSON", status(http.StatusOK, "application/json", login), undecodable.and(text("a proxy or a login")), map[string]want{"delete": nil, "watch": broken, "groups, version": noDocument}},
	{"charset", status(http.StatusOK, "application/json; charset=utf-8"), nil, nil},
	{"no content type", status(http.StatusOK, ""), nil, nil},
	{"content type that is none", status(http.StatusOK, "json, please"), strange.and(isA[*rest.ContentTypeError]), map[string]want{"watch": nil}},
	{"unknown content type", status(http.StatusOK, "application/x-unknown"), strange.and(isA[*rest.ContentTypeError]), map[string]want{"delete, groups, version": nil}},
	{"protobuf labelled JSON", status(http.StatusOK, "application/json", "k8s\x00\x0a\x0d\x0a\x02v1\x12\x07"), undecodable, map[string]want{"delete": nil, "watch": broken, "groups, version": noDocument}},
	{"JSON labelled protobuf", status(http.StatusOK, "application/vnd.kubernetes.protobuf"), strange, map[string]want{"delete, watch, groups, version": nil}},
	{"empty body", status(http.StatusOK, "application/json", ""), strange, map[string]want{"delete, watch": nil, "groups, version": noDocument}},
	{"null", status(http.StatusOK, "application/json", "null"), strange, map[string]want{"delete, groups, version": nil, "watch": broken}},
	{"no content", func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusNoContent) }, strange, map[string]want{"delete": nil, "watch": text("204"), "groups, version": noDocument}},
	{"an array", status(http.StatusOK, "application/json", "[1,2]"), undecodable, map[string]want{"delete": nil, "watch": broken, "groups, version": noDocument}},
	{"an object without a kind", status(http.StatusOK, "application/json", `{"hello":"world"}`), strange, map[string]want{"delete, groups, version": nil, "watch": broken}},
	{"another kind", status(http.StatusOK, "application/json", `{"apiVersion":"library.example.com/v1","kind":"Shelf","metadata":{"name":"top"}}`), strange, map[string]want{"delete, groups, version": nil, "watch": broken}},
	{"an unknown kind", status(http.StatusOK, "application/json", `{"apiVersion":"other.example.com/v9","kind":"Widget","metadata":{"name":"w"}}`), apiruntime.IsNotRegisteredError, map[string]want{"delete, groups, version": nil, "watch": broken}},
	{"failure with code 200", status(http.StatusOK, "application/json", failure(http.StatusConflict, "Conflict", "changed meanwhile", "")), code(409, metav1.StatusReasonConflict), map[string]want{"delete, groups, version": nil, "watch": broken}},
	{"field of another type", changed(func(good string) string {
		return strings.NewReplacer(`"pages":474`, `"pages":"many"`, `"pages":635`, `"pages":"many"`, `"groups":[`, `"groups":"`, `"major":"1"`, `"major":1`).Replace(good)
	}), undecodable.and(text("moby, at /spec/pages")), map[string]want{"list, streamed list": undecodable.and(text("moby, item 0, at /spec/pages")), "delete": nil, "watch": broken.and(text("moby, at /spec/pages")), "groups, version": noDocument}},

	// The server rejects the request.
	{"bad request", refuse(http.StatusBadRequest, "BadRequest", "the field selector is wrong", ""), code(400, metav1.StatusReasonBadRequest), nil},
	{"unauthorized", refuse(http.StatusUnauthorized, "Unauthorized", "Unauthorized", ""), code(401, metav1.StatusReasonUnauthorized), nil},
	{"forbidden", refuse(http.StatusForbidden, "Forbidden", `books.library.example.com is forbidden: User "jane" cannot list resource "books"`, ""), code(403, metav1.StatusReasonForbidden), nil},
	{"forbidden by a proxy", status(http.StatusForbidden, "text/html", login), code(403, metav1.StatusReasonForbidden), nil},
	{"not found", refuse(http.StatusNotFound, "NotFound", `books.library.example.com "moby" not found`, ""), code(404, metav1.StatusReasonNotFound), nil},
	{"not found, as text", status(http.StatusNotFound, "text/plain; charset=utf-8", "404 page not found\n"), code(404, metav1.StatusReasonNotFound), nil},
	{"method not allowed", refuse(http.StatusMethodNotAllowed, "MethodNotAllowed", "the server does not allow this method on the requested resource", ""), code(405, metav1.StatusReasonMethodNotAllowed), nil},
	{"not acceptable", status(http.StatusNotAcceptable, "text/plain", "only protobuf here"), code(406, metav1.StatusReasonNotAcceptable), nil},
	{"conflict", refuse(http.StatusConflict, "Conflict", "the object has been modified", ""), code(409, metav1.StatusReasonConflict), nil},
	{"already exists", refuse(http.StatusConflict, "AlreadyExists", `books "moby" already exists`, ""), code(409, metav1.StatusReasonAlreadyExists), nil},
	{"gone", refuse(http.StatusGone, "Expired", "too old resource version: 7 (99)", ""), code(410, metav1.StatusReasonExpired), nil},
	{"too large", refuse(http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", "limit is 3145728", ""), code(413, metav1.StatusReasonRequestEntityTooLarge), nil},
	{"unsupported media type", refuse(http.StatusUnsupportedMediaType, "UnsupportedMediaType", "the body of the request was in an unknown format", ""), code(415, metav1.StatusReasonUnsupportedMediaType), nil},
	{"invalid", refuse(http.StatusUnprocessableEntity, "Invalid", `Book "moby" is invalid: spec.pages: must be positive`,
		`"details":{"name":"moby","kind":"Book","causes":[{"reason":"FieldValueInvalid","message":"must be positive","field":"spec.pages"}]},`), code(422, metav1.StatusReasonInvalid), nil},
	{"internal error", refuse(http.StatusInternalServerError, "InternalError", "an error on the server", ""), code(500, metav1.StatusReasonInternalError), nil},
	{"internal error, as text", status(http.StatusInternalServerError, "text/plain", "panic: runtime error"), code(500, metav1.StatusReasonInternalError), nil},
	{"bad gateway", status(http.StatusBadGateway, "text/html", "<html><h1>502 Bad Gateway</h1></html>"), code(502, metav1.StatusReasonInternalError), nil},
	{"unavailable", refuse(http.StatusServiceUnavailable, "ServiceUnavailable", "etcd is down", ""), code(503, metav1.StatusReasonServiceUnavailable), nil},
	{"gateway timeout", status(http.StatusGatewayTimeout, "text/plain", "upstream request timeout"), code(504, metav1.StatusReasonTimeout), nil},
	{"a code nobody knows", status(599, "text/plain", "?"), code(599, metav1.StatusReasonInternalError), nil},
	{"a success that is none", status(http.StatusMultiStatus, "text/plain", "?"), code(207, metav1.StatusReasonUnknown), nil},
	{"error of an empty body", status(http.StatusInternalServerError, "application/json", ""), code(500, metav1.StatusReasonInternalError), nil},
	{"error of a broken body", status(http.StatusInternalServerError, "application/json", `{"kind":"Sta`), code(500, metav1.StatusReasonInternalError), nil},

	{"not found, broken off", raw(func(string) string {
		return "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
	}), code(404, metav1.StatusReasonNotFound), nil},
	{"gone, in an unknown format", status(http.StatusGone, "???", "gone"), code(410, metav1.StatusReasonUnknown), nil},

	// The server requests a delay.
	{"429 without Retry-After", refuse(http.StatusTooManyRequests, "TooManyRequests", "slow down", ""), code(429, metav1.StatusReasonTooManyRequests), nil},
	{"429, Retry-After: 7, twice", refuse(http.StatusTooManyRequests, "TooManyRequests", "slow down", "").with("Retry-After", "7").times(2), nil, nil},
	{"429, Retry-After: 7, for ever", refuse(http.StatusTooManyRequests, "TooManyRequests", "slow down", `"details":{"retryAfterSeconds":7},`).with("Retry-After", "7"), code(429, metav1.StatusReasonTooManyRequests).and(retryAfter(7)), nil},
	{"429, Retry-After: 0, for ever", status(http.StatusTooManyRequests, "text/plain", "slow down").with("Retry-After", "0"), code(429, metav1.StatusReasonTooManyRequests), nil},
	{"429, Retry-After: a date, once", status(http.StatusTooManyRequests, "text/plain", "slow down").with("Retry-After", "Sat, 01 Jan 2000 00:01:00 GMT").once(), nil, nil},
	{"429, Retry-After: garbage, once", status(http.StatusTooManyRequests, "text/plain", "slow down").with("Retry-After", "soon").once(), code(429, metav1.StatusReasonTooManyRequests), nil},
	{"429, Retry-After: -5, once", status(http.StatusTooManyRequests, "text/plain", "slow down").with("Retry-After", "-5").once(), nil, nil},
	{"429, Retry-After: huge", status(http.StatusTooManyRequests, "text/plain", "slow down").with("Retry-After", "999999999999"), code(429, metav1.StatusReasonTooManyRequests), nil},
	{"500, Retry-After: 1, once", status(http.StatusInternalServerError, "text/plain", "oh").with("Retry-After", "1").once(), nil, nil},
	{"502, Retry-After: 1, once", status(http.StatusBadGateway, "text/plain", "oh").with("Retry-After", "1").once(), nil, nil},
	{"503, Retry-After: 1, for ever", status(http.StatusServiceUnavailable, "text/plain", "oh").with("Retry-After", "1"), code(503, metav1.StatusReasonServiceUnavailable).and(retryAfter(1)), nil},
	{"504, Retry-After: 30, once", status(http.StatusGatewayTimeout, "text/plain", "oh").with("Retry-After", "30").once(), nil, nil},

	// The server redirects the client.
	{"redirect without a place", func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusFound) }, code(302, metav1.StatusReasonUnknown), nil},
	{"redirect in a loop", func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, r.URL.String(), http.StatusTemporaryRedirect)
	}, want(isA[*url.Error]).and(text("stopped after 10 redirects")), nil},
	{"redirect to no URL", func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Location", "http://[::1")
		w.WriteHeader(http.StatusFound)
	}, want(isA[*url.Error]), nil},
	{"not modified", func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusNotModified) }, code(304, metav1.StatusReasonUnknown), nil},
}
