package transport

import "github.com/listwatch/listwatch/runtime/internal/secret"

// RedactError removes from an error of net/http or net/url the parts of its URL that may be secret: the user, the
// fragment, and the values of query parameters except those of the Kubernetes API that are not secret. Other errors
// are returned unchanged. It is for callers with their own connections (websockets, SPDY); package rest does it
// itself.
func RedactError(err error) error { return secret.Error(err) }
