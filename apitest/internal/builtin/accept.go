package builtin

import (
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
)

// acceptable returns an error if a request accepts none of the media types of its route. On a real
// server go-restful checks this, by comparing the names of types only; handlers evaluate the
// parameters.
func acceptable(req *http.Request, serializer runtime.NegotiatedSerializer, list bool) error {
	accept := req.Header.Get("Accept")
	types, streams := negotiation.MediaTypesForSerializer(serializer)
	if accept == "" {
		return nil
	}
	if list {
		types = append(types, streams...)
	}
	for part := range strings.SplitSeq(accept, ",") {
		name, _, _ := strings.Cut(part, ";")
		if name = strings.TrimSpace(name); name == "*/*" || slices.Contains(types, name) {
			return nil
		}
	}
	message := "406: Not Acceptable\n\nAvailable representations: " + strings.Join(types, ", ")
	return apierrors.NewGenericServerResponse(http.StatusNotAcceptable, "", schema.GroupResource{}, "", message, 0, false)
}
