package clientauthentication_test

import (
	"reflect"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"k8s.io/client-go/pkg/apis/clientauthentication"
	v1 "k8s.io/client-go/pkg/apis/clientauthentication/v1"
	"k8s.io/client-go/pkg/apis/clientauthentication/v1beta1"
)

// Each part of an ExecCredential converts to the internal type and back, in both versions.
func TestConversions(t *testing.T) {
	expires := metav1.NewTime(time.Unix(1, 0))
	cluster := v1.Cluster{
		Server: "s", TLSServerName: "t", InsecureSkipTLSVerify: true, CertificateAuthorityData: []byte("ca"), ProxyURL: "p",
		DisableCompression: true, Config: runtime.RawExtension{Raw: []byte(`{"a":1}`)},
	}
	internalCluster := clientauthentication.Cluster{
		Server: "s", TLSServerName: "t", InsecureSkipTLSVerify: true, CertificateAuthorityData: []byte("ca"), ProxyURL: "p",
		DisableCompression: true, Config: &runtime.Unknown{Raw: []byte(`{"a":1}`), ContentType: runtime.ContentTypeJSON},
	}
	spec := v1.ExecCredentialSpec{Cluster: &cluster, Interactive: true}
	internalSpec := clientauthentication.ExecCredentialSpec{Cluster: &internalCluster, Interactive: true}
	status := v1.ExecCredentialStatus{ExpirationTimestamp: &expires, Token: "t", ClientCertificateData: "c", ClientKeyData: "k"}
	internalStatus := clientauthentication.ExecCredentialStatus{ExpirationTimestamp: &expires, Token: "t", ClientCertificateData: "c", ClientKeyData: "k"}
	for name, add := range map[string]func(*runtime.Scheme) error{"v1": v1.AddToScheme, "v1beta1": v1beta1.AddToScheme} {
		s := runtime.NewScheme()
		if err := add(s); err != nil {
			t.Fatal(err)
		}
		var whole any = &v1.ExecCredential{Spec: spec, Status: &status}
		if name == "v1beta1" {
			whole = &v1beta1.ExecCredential{Spec: spec, Status: &status}
		}
		for _, tt := range []struct {
			name               string
			external, internal any // pointers
		}{
			{"cluster", &cluster, &internalCluster},
			{"spec", &spec, &internalSpec},
			{"status", &status, &internalStatus},
			{"whole", whole, &clientauthentication.ExecCredential{Spec: internalSpec, Status: &internalStatus}},
			{"empty spec", &v1.ExecCredentialSpec{}, &clientauthentication.ExecCredentialSpec{}},
		} {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				internal := reflect.New(reflect.TypeOf(tt.internal).Elem()).Interface()
				if err := s.Convert(tt.external, internal, nil); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(internal, tt.internal) {
					t.Errorf("to internal: %+v, want %+v", internal, tt.internal)
				}
				external := reflect.New(reflect.TypeOf(tt.external).Elem()).Interface()
				if err := s.Convert(tt.internal, external, nil); err != nil {
					t.Fatal(err)
				}
				back := reflect.New(reflect.TypeOf(tt.internal).Elem()).Interface()
				if err := s.Convert(external, back, nil); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(back, tt.internal) {
					t.Errorf("from internal: %+v, want %+v", external, tt.external)
				}
			})
		}
	}
}
