package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	backupv1 "github.com/listwatch/listwatch/examples/versions/apis/backup/v1"
	backupv1beta1 "github.com/listwatch/listwatch/examples/versions/apis/backup/v1beta1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// webhooks serves /convert.
func webhooks() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /convert", serveConvert)
	return mux
}

// serveConvert answers a ConversionReview: all of its objects in the version that the API server requests, or an error.
func serveConvert(w http.ResponseWriter, r *http.Request) {
	var review apiextensionsv1.ConversionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "the body is not a ConversionReview", http.StatusBadRequest)
		return
	}
	response := &apiextensionsv1.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, object := range review.Request.Objects {
		converted, err := convert(object.Raw, review.Request.DesiredAPIVersion)
		if err != nil {
			response.ConvertedObjects = nil
			response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()} // which users of the API see
			break
		}
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Object: converted})
	}
	review.Request, review.Response = nil, response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review) // the connection is broken
}

// convert returns an object in another version.
func convert(object []byte, desired string) (runtime.Object, error) {
	var from metav1.TypeMeta
	if err := json.Unmarshal(object, &from); err != nil {
		return nil, err
	}
	switch [2]string{from.APIVersion, desired} {
	case [2]string{backupv1beta1.SchemeGroupVersion.String(), backupv1.SchemeGroupVersion.String()}:
		var in backupv1beta1.Backup
		if err := json.Unmarshal(object, &in); err != nil {
			return nil, err
		}
		return toV1(&in), nil
	case [2]string{backupv1.SchemeGroupVersion.String(), backupv1beta1.SchemeGroupVersion.String()}:
		var in backupv1.Backup
		if err := json.Unmarshal(object, &in); err != nil {
			return nil, err
		}
		return toV1beta1(&in), nil
	}
	return nil, fmt.Errorf("no conversion of %s %s to %s", from.APIVersion, from.Kind, desired)
}
