package typed

import (
	"mime"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// media returns the media types that a client must send and accept to send a request.
func media(r *http.Request, hasBody bool) (sends, accepts string, err error) {
	for name := range r.Header {
		if name != "Accept" && name != "Content-Type" {
			return "", "", inexpressible(Header, "%s: %s", name, r.Header.Get(name))
		}
	}
	accepts = strings.Join(r.Header.Values("Accept"), ",")
	for accepted := range strings.SplitSeq(accepts, ",") {
		switch accepted {
		case "", "*/*", runtime.ContentTypeJSON, runtime.ContentTypeProtobuf:
		default:
			return "", "", inexpressible(Header, "Accept: %s", accepts)
		}
	}
	if accepts == "" {
		accepts = runtime.ContentTypeJSON
	}
	if r.Method == http.MethodPatch || !hasBody {
		return runtime.ContentTypeJSON, accepts, nil
	}
	switch sends = contentType(r); sends {
	case "":
		return runtime.ContentTypeJSON, accepts, nil
	case runtime.ContentTypeJSON, runtime.ContentTypeProtobuf:
		return sends, accepts, nil
	}
	return "", "", inexpressible(Header, "Content-Type: %s", sends)
}

// contentType returns the media type of a request's body, unchanged if it cannot be parsed.
func contentType(r *http.Request) string {
	header := r.Header.Get("Content-Type")
	if parsed, _, err := mime.ParseMediaType(header); err == nil {
		return parsed
	}
	return header
}
