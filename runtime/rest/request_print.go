package rest

import (
	"fmt"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// Format prints verb, URL and error for every verb of fmt, but neither headers nor body, which may be secret.
func (r Request) Format(state fmt.State, verb rune) {
	text := secret.NewStruct("rest.Request").Field("Verb", r.verb)
	if r.c != nil {
		text.Field("URL", secret.URL(r.URL()))
	}
	secret.Format(state, verb, text.Data("Body", r.bodyBytes).Type("BodyReader", r.body).Field("Err", errorText(r.err)).String())
}

// Format prints status code, content type and error for every verb of fmt, but not the body, which may be
// secret.
func (r Result) Format(state fmt.State, verb rune) {
	secret.Format(state, verb, secret.NewStruct("rest.Result").
		Field("StatusCode", r.statusCode).
		Field("ContentType", r.contentType).
		Data("Body", r.body).
		Field("Err", errorText(r.err)).
		String())
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
