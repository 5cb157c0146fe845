package typed

import (
	"maps"
	"net/url"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// parameters decodes and encodes the options of all requests.
var parameters = func() runtime.ParameterCodec {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, metav1.SchemeGroupVersion)
	return runtime.NewParameterCodec(scheme)
}()

// decodeQuery decodes the parameters of a request into options, and checks that these contain all
// parameters.
func decodeQuery(query url.Values, options ...runtime.Object) error {
	query = maps.Clone(query)
	delete(query, "watch") // expressed by the method
	said := url.Values{}
	for _, into := range options {
		if err := parameters.DecodeParameters(query, metav1.SchemeGroupVersion, into); err != nil {
			return inexpressible(Query, "%v", err)
		}
		values, err := parameters.EncodeParameters(into, metav1.SchemeGroupVersion)
		if err != nil {
			return inexpressible(Query, "%v", err)
		}
		maps.Copy(said, values)
	}
	for key, values := range query {
		if len(said[key]) == 0 && len(values) == 1 && isZero(key, values[0]) {
			continue
		}
		if !slices.Equal(said[key], values) {
			return inexpressible(Query, "%s", url.Values{key: values}.Encode())
		}
	}
	return nil
}

// isZero reports whether a parameter with that value is equivalent to none.
func isZero(key, value string) bool {
	return key != "dryRun" && (value == "" || value == "0" || value == "false")
}
