package install_test

import (
	"reflect"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/clientauthentication"
	"github.com/listwatch/listwatch/runtime/clientauthentication/install"
	v1 "github.com/listwatch/listwatch/runtime/clientauthentication/v1"
	"github.com/listwatch/listwatch/runtime/clientauthentication/v1beta1"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
)

const planted = "s3cr3t"

func full() *clientauthentication.ExecCredential {
	expires := metav1.NewTime(time.Unix(1e9, 0))
	return &clientauthentication.ExecCredential{
		Spec: clientauthentication.ExecCredentialSpec{
			Interactive: true,
			Cluster: &clientauthentication.Cluster{
				Server:                   "https://name:" + planted + "@server",
				TLSServerName:            "name",
				InsecureSkipTLSVerify:    true,
				CertificateAuthorityData: []byte("CA"),
				ProxyURL:                 "http://name:" + planted + "@proxy",
				DisableCompression:       true,
				Config:                   &runtime.Unknown{Raw: []byte(`{"a":"` + planted + `"}`), ContentType: runtime.ContentTypeJSON},
			},
		},
		Status: &clientauthentication.ExecCredentialStatus{ExpirationTimestamp: &expires, Token: planted, ClientCertificateData: "cert", ClientKeyData: planted},
	}
}

// TestRoundTrip: the versions lose nothing.
func TestRoundTrip(t *testing.T) {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	codecs := serializer.NewCodecFactory(scheme)
	for _, version := range []schema.GroupVersion{v1.SchemeGroupVersion, v1beta1.SchemeGroupVersion} {
		data, err := runtime.Encode(codecs.LegacyCodec(version), full())
		if err != nil {
			t.Fatal(err)
		}
		var got clientauthentication.ExecCredential
		if err := runtime.DecodeInto(codecs.UniversalDecoder(clientauthentication.SchemeGroupVersion), data, &got); err != nil {
			t.Fatal(err)
		}
		got.TypeMeta = metav1.TypeMeta{}
		if !got.Status.ExpirationTimestamp.Equal(full().Status.ExpirationTimestamp) {
			t.Errorf("%s: expires at %v", version, got.Status.ExpirationTimestamp)
		}
		got.Status.ExpirationTimestamp = full().Status.ExpirationTimestamp
		if !reflect.DeepEqual(&got, full()) {
			t.Errorf("%s: read back differently from %s", version, data)
		}
		if copied := got.DeepCopyObject(); !reflect.DeepEqual(copied, &got) {
			t.Errorf("%s: copied differently", version)
		}
	}
	if clientauthentication.Kind("a").Group != clientauthentication.GroupName || v1.Resource("a") != v1beta1.Resource("a") || clientauthentication.Resource("a") != v1.Resource("a") {
		t.Error("groups differ")
	}
}

func TestNothingSecretIsPrinted(t *testing.T) {
	internal := full()
	one := &v1.ExecCredential{Status: (*v1.ExecCredentialStatus)(internal.Status)}
	if err := v1.FromInternal(internal, &one.Spec); err != nil {
		t.Fatal(err)
	}
	beta := &v1beta1.ExecCredential{Spec: one.Spec, Status: one.Status}
	for _, v := range []any{
		internal, *internal, internal.Status, *internal.Status, internal.Spec.Cluster, *internal.Spec.Cluster,
		one, *one, one.Status, *one.Status, one.Spec.Cluster, *one.Spec.Cluster, beta, *beta,
	} {
		secrettest.Check(t, v, planted)
	}
	for _, v := range []any{internal.Spec, &internal.Spec, one.Spec, struct{ S v1.ExecCredentialStatus }{*one.Status}} {
		secrettest.CheckFmt(t, v, planted)
	}
}
