package drive

import (
	"net/http"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// refusals are the errors of a server: with a Status, with a text, without a body, or with an
// invalid Status.
func refusals() []answer {
	var all []answer
	add := func(name string, replies ...reply) { all = append(all, answer{name, replies}) }
	for _, no := range []struct {
		code   int
		reason metav1.StatusReason
	}{
		{http.StatusBadRequest, metav1.StatusReasonBadRequest},
		{http.StatusUnauthorized, metav1.StatusReasonUnauthorized},
		{http.StatusForbidden, metav1.StatusReasonForbidden},
		{http.StatusNotFound, metav1.StatusReasonNotFound},
		{http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed},
		{http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable},
		{http.StatusConflict, metav1.StatusReasonAlreadyExists},
		{http.StatusGone, metav1.StatusReasonExpired},
		{http.StatusRequestEntityTooLarge, metav1.StatusReasonRequestEntityTooLarge},
		{http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType},
		{http.StatusUnprocessableEntity, metav1.StatusReasonInvalid},
		{http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests},
		{http.StatusInternalServerError, metav1.StatusReasonInternalError},
		{http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable},
		{http.StatusGatewayTimeout, metav1.StatusReasonTimeout},
		{http.StatusTeapot, metav1.StatusReasonUnknown},
	} {
		code := strconv.Itoa(no.code)
		body := text(refusal(no.code, no.reason))
		add(code+" with a status", reply{status: no.code, body: body})
		add(code+" in words", reply{status: no.code, header: []string{"Content-Type", "text/plain"}, body: "the server said no\n"})
		add(code+" with nothing", reply{status: no.code})
	}
	const code = http.StatusForbidden
	status := refusal(code, metav1.StatusReasonForbidden)
	add("403 with a status in plain text", reply{status: code, header: []string{"Content-Type", "text/plain"}, body: text(status)})
	add("403 with a status of no type", reply{status: code, header: []string{"Content-Type", ""}, body: text(status)})
	add("403 with a warning", reply{status: code, header: []string{"Warning", `299 - "not like this"`}, body: text(status)})
	add("403 with a page", reply{status: code, header: []string{"Content-Type", "text/html"}, body: "<html><body>no</body></html>"})
	add("403 with an object", reply{status: code, body: `{"kind":"Other","apiVersion":"v1","message":"no"}`})
	add("403 with half a status", reply{status: code, body: text(status)[:40]})
	status.Status = metav1.StatusSuccess
	add("403 with a successful status", reply{status: code, body: text(status)})
	status.TypeMeta = metav1.TypeMeta{}
	add("403 with a status that does not say so", reply{status: code, body: text(status)})
	add("200 with a refusal", reply{status: http.StatusOK, body: text(refusal(code, metav1.StatusReasonForbidden))})
	add("304 with nothing", reply{status: http.StatusNotModified})
	add("302 to nowhere", reply{status: http.StatusFound})
	return all
}

// refusal is a Status with every field set.
func refusal(code int, reason metav1.StatusReason) metav1.Status {
	return metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		ListMeta: metav1.ListMeta{ResourceVersion: "3"},
		Status:   metav1.StatusFailure, Reason: reason, Code: int32(code),
		Message: "the server does not want to",
		Details: &metav1.StatusDetails{
			Name: name, Group: "group", Kind: "things", UID: "1-2-3",
			Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Message: "too big", Field: "spec.size"}},
		},
	}
}

// retries are responses that ask the client to retry.
func retries(body string) []answer {
	again := []string{"Retry-After", "0"}
	busy := reply{status: http.StatusTooManyRequests, header: again, body: text(refusal(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests))}
	down := reply{status: http.StatusServiceUnavailable, header: again, body: "down"}
	fine := reply{status: http.StatusOK, body: body}
	return []answer{
		{"once busy", []reply{busy, fine}},
		{"once down", []reply{down, fine}},
		{"busy, then down, then refused", []reply{busy, down, {status: http.StatusForbidden, body: text(refusal(http.StatusForbidden, metav1.StatusReasonForbidden))}}},
		{"always busy", []reply{busy}},
		{"always down", []reply{down}},
		{"busy until nobody knows when", []reply{{status: http.StatusTooManyRequests, header: []string{"Retry-After", "soon"}, body: busy.body}}},
		{"come again after a 404", []reply{{status: http.StatusNotFound, header: again, body: text(refusal(http.StatusNotFound, metav1.StatusReasonNotFound))}}},
		{"elsewhere, once", []reply{{status: http.StatusTemporaryRedirect, header: []string{"Location", "/elsewhere"}}, fine}},
		{"elsewhere, always", []reply{{status: http.StatusFound, header: []string{"Location", "/elsewhere"}}}},
	}
}
