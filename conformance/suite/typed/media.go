package typed

import (
	"mime"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// media says whether a request is one of a client for protobuf, or else for JSON.
func media(r *http.Request, hasBody bool) (protobuf bool, err error) {
	for name := range r.Header {
		if name != "Accept" && name != "Content-Type" {
			return false, inexpressible(Header, "%s: %s", name, r.Header.Get(name))
		}
	}
	accept := r.Header.Get("Accept")
	switch first, _, _ := strings.Cut(accept, ","); first {
	case "", "*/*", runtime.ContentTypeJSON:
	case runtime.ContentTypeProtobuf:
		protobuf = true
	default:
		return false, inexpressible(Header, "Accept: %s", accept)
	}
	if len(r.Header.Values("Accept")) > 1 || accept != "" && strings.Contains(accept, ";") {
		return false, inexpressible(Header, "Accept: %s", strings.Join(r.Header.Values("Accept"), ", "))
	}
	if r.Method == http.MethodPatch || !hasBody {
		return protobuf, nil
	}
	switch contentType(r) {
	case "", runtime.ContentTypeJSON:
		return protobuf, nil
	case runtime.ContentTypeProtobuf:
		return true, nil
	}
	return false, inexpressible(Header, "Content-Type: %s", contentType(r))
}

// contentType returns the media type of a request's body, and what cannot be parsed as it is.
func contentType(r *http.Request) string {
	header := r.Header.Get("Content-Type")
	if parsed, _, err := mime.ParseMediaType(header); err == nil {
		return parsed
	}
	return header
}
