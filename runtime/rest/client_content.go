package rest

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/munnerz/goautoneg"
	"k8s.io/apimachinery/pkg/runtime"
)

const protobufOrJSON = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON

// withoutCBOR returns the config with JSON in place of CBOR, which this package does not support.
func withoutCBOR(config ClientContentConfig) ClientContentConfig {
	if mediaType, _, err := mime.ParseMediaType(config.ContentType); err == nil && mediaType == runtime.ContentTypeCBOR {
		config.ContentType = runtime.ContentTypeJSON
	}
	config.AcceptContentTypes = acceptWithoutCBOR(config.AcceptContentTypes)
	return config
}

// acceptWithoutCBOR returns an Accept header with JSON in place of CBOR. A header without CBOR is returned
// unchanged.
func acceptWithoutCBOR(accept string) string {
	clauses := goautoneg.ParseAccept(accept)
	found := false
	for i := range clauses {
		if clauses[i].Type+"/"+clauses[i].SubType == runtime.ContentTypeCBOR {
			clauses[i].SubType = "json"
			found = true
		}
	}
	if !found {
		return accept
	}
	types := make([]string, len(clauses))
	for i, clause := range clauses {
		params := clause.Params
		if clause.Q < 1 { // 1 is the default
			if params == nil {
				params = make(map[string]string, 1)
			}
			params["q"] = strconv.FormatFloat(clause.Q, 'g', 3, 32)
		}
		types[i] = mime.FormatMediaType(clause.Type+"/"+clause.SubType, params)
	}
	return strings.Join(types, ",")
}

// acceptHeader returns the Accept header for a config.
func acceptHeader(config *ClientContentConfig) string {
	switch {
	case config.AcceptContentTypes != "":
		return config.AcceptContentTypes
	case config.ContentType != "":
		return config.ContentType + ", */*"
	default:
		return ""
	}
}

// dropManagedFields is the parameter of a media type by which a server leaves out metadata.managedFields (KEP-5958).
// API servers ignore parameters that they do not know.
const dropManagedFields = ";drop=metadata.managedFields"

// withoutManagedFields returns headers whose Accept asks for objects without managedFields, in each media type that
// it names.
func withoutManagedFields(headers http.Header) http.Header {
	out := headers.Clone()
	for i, accept := range out["Accept"] {
		clauses := strings.Split(accept, ",")
		for j, clause := range clauses {
			mediaType, _, _ := strings.Cut(clause, ";")
			if !strings.Contains(mediaType, "*") {
				clauses[j] = mediaType + dropManagedFields + clause[len(mediaType):]
			}
		}
		out["Accept"][i] = strings.Join(clauses, ",")
	}
	return out
}
