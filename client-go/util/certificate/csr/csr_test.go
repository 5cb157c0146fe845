package csr_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509/pkix"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/certificate/csr"
)

const resource = "certificatesigningrequests"

// without makes a version of the API missing.
func without(client *fake.Clientset, version string) {
	client.PrependReactor("*", resource, func(action clienttesting.Action) (bool, runtime.Object, error) {
		if action.GetResource().Version != version {
			return false, nil, nil
		}
		return true, nil, apierrors.NewNotFound(schema.GroupResource{Resource: resource}, "")
	})
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newCSR(t *testing.T, key *ecdsa.PrivateKey, name string) []byte {
	t.Helper()
	text, err := cert.MakeCSR(key, &pkix.Name{CommonName: name}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRequestCertificate(t *testing.T) {
	key, other := newKey(t), newKey(t)
	existing := func(request []byte, signer string, certificate string) *certificatesv1.CertificateSigningRequest {
		return &certificatesv1.CertificateSigningRequest{
			ObjectMeta: metav1.ObjectMeta{Name: "named", UID: "u"},
			Spec:       certificatesv1.CertificateSigningRequestSpec{Request: request, SignerName: signer},
			Status:     certificatesv1.CertificateSigningRequestStatus{Certificate: []byte(certificate)},
		}
	}
	for _, tt := range []struct {
		name     string
		existing runtime.Object
		without  string
		request  string // its name
		signer   string
		key      any
		version  string // in which it is created
		err      string
	}{
		{name: "v1", signer: "a.test/s", version: "v1"},
		{name: "named", request: "named", signer: "a.test/s", version: "v1"},
		{name: "v1beta1", without: "v1", signer: "a.test/s", version: "v1beta1"},
		{name: "legacy signer", signer: "kubernetes.io/legacy-unknown", version: "v1beta1"},
		{name: "no signer", version: "v1beta1"},
		{name: "exists", request: "named", signer: "a.test/s", existing: existing(newCSR(t, key, "n"), "a.test/s", ""), key: key},
		{name: "exists, another signer", request: "named", signer: "a.test/s", existing: existing(newCSR(t, key, "n"), "b.test/s", ""), key: key, err: "signerNames differ"},
		{name: "exists, another subject", request: "named", signer: "a.test/s", existing: existing(newCSR(t, key, "m"), "a.test/s", ""), key: key, err: "subjects differ"},
		{name: "exists, another key", request: "named", signer: "a.test/s", existing: existing(newCSR(t, other, "n"), "a.test/s", ""), key: key, err: "another key"},
		{name: "exists, no signer", request: "named", signer: "a.test/s", existing: existing(newCSR(t, key, "n"), "a.test/s", ""), key: "key", err: "not a signer"},
		{name: "exists, no request", request: "named", signer: "a.test/s", existing: existing([]byte("x"), "a.test/s", ""), key: key, err: "PEM block type"},
		{name: "exists, invalid certificate", request: "named", signer: "a.test/s", existing: existing(newCSR(t, key, "n"), "a.test/s", "x"), key: key, err: "error parsing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client := fake.NewClientset()
			if tt.existing != nil {
				client = fake.NewClientset(tt.existing)
			}
			if tt.without != "" {
				without(client, tt.without)
			}
			lifetime := time.Hour
			name, _, err := csr.RequestCertificateWithContext(t.Context(), client, newCSR(t, key, "n"), tt.request, tt.signer, &lifetime,
				[]certificatesv1.KeyUsage{"client auth"}, tt.key)
			if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Fatalf("error %v, want %q", err, tt.err)
			}
			if tt.err != "" {
				return
			}
			if tt.existing != nil {
				if name != "named" {
					t.Errorf("name %q", name)
				}
				return
			}
			actions := client.Actions()
			last := actions[len(actions)-1].(clienttesting.CreateAction)
			if got := last.GetResource().Version; got != tt.version {
				t.Errorf("created in %s", got)
			}
			meta := last.GetObject().(metav1.Object)
			if meta.GetName() != tt.request || (meta.GetGenerateName() == "csr-") != (tt.request == "") {
				t.Errorf("name %q, generated from %q", meta.GetName(), meta.GetGenerateName())
			}
			if v1, ok := last.GetObject().(*certificatesv1.CertificateSigningRequest); ok && *v1.Spec.ExpirationSeconds != 3600 {
				t.Errorf("spec %+v", v1.Spec)
			}
		})
	}
}

// An error of the server stays one.
func TestRequestCertificateForbidden(t *testing.T) {
	client := fake.NewClientset()
	client.PrependReactor("create", resource, func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "a", nil)
	})
	_, _, err := csr.RequestCertificate(client, nil, "", "a.test/s", nil, []certificatesv1.KeyUsage{"client auth"}, nil)
	if !apierrors.IsForbidden(err) || !strings.HasPrefix(err.Error(), "cannot create certificate signing request: ") {
		t.Errorf("error %v", err)
	}
}

func TestWaitForCertificate(t *testing.T) {
	approved := certificatesv1.CertificateSigningRequestCondition{Type: certificatesv1.CertificateApproved}
	status := func(certificate string, conditions ...certificatesv1.CertificateSigningRequestCondition) *certificatesv1.CertificateSigningRequest {
		return &certificatesv1.CertificateSigningRequest{
			ObjectMeta: metav1.ObjectMeta{Name: "a", UID: "u"},
			Status:     certificatesv1.CertificateSigningRequestStatus{Conditions: conditions, Certificate: []byte(certificate)},
		}
	}
	other := status("certificate", approved)
	other.UID = "other"
	for _, tt := range []struct {
		name  string
		first *certificatesv1.CertificateSigningRequest
		later *certificatesv1.CertificateSigningRequest // nil deletes it
		want  string
		err   string
	}{
		{"at once", status("certificate", approved), nil, "certificate", ""},
		{"later", status(""), status("certificate", approved), "certificate", ""},
		{"approved before it is signed", status("", approved), status("certificate", approved), "certificate", ""},
		{"signed, not approved", status("certificate"), status("next", approved), "next", ""},
		{"denied", status(""), status("", certificatesv1.CertificateSigningRequestCondition{Type: certificatesv1.CertificateDenied, Reason: "R", Message: "M"}), "", "denied, reason: R, message: M"},
		{"failed", status(""), status("", approved, certificatesv1.CertificateSigningRequestCondition{Type: certificatesv1.CertificateFailed, Reason: "R"}), "", "failed, reason: R"},
		{"another one", status(""), other, "", "changed UIDs"},
		{"deleted", status(""), nil, "", "was deleted"},
		{"the time ends", status(""), status(""), "", "timed out"},
	} {
		for _, version := range []string{"v1", "v1beta1"} {
			t.Run(tt.name+"/"+version, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					gvr := certificatesv1.SchemeGroupVersion.WithResource(resource)
					in := func(request *certificatesv1.CertificateSigningRequest) runtime.Object { return request }
					if version == "v1beta1" {
						gvr = certificatesv1beta1.SchemeGroupVersion.WithResource(resource)
						in = toV1beta1
					}
					client := fake.NewClientset(in(tt.first))
					if version == "v1beta1" {
						without(client, "v1")
					}
					go func() {
						time.Sleep(time.Second)
						var err error
						if tt.later == nil {
							err = client.Tracker().Delete(gvr, "", "a")
						} else {
							err = client.Tracker().Update(gvr, in(tt.later), "")
						}
						if err != nil {
							t.Error(err)
						}
					}()
					got, err := csr.WaitForCertificate(ctx, client, "a", types.UID("u"))
					time.Sleep(2 * time.Second) // for the change
					if string(got) != tt.want || (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
						t.Errorf("%s, %v", got, err)
					}
					if tt.name == "the time ends" && !wait.Interrupted(err) {
						t.Errorf("error %v", err)
					}
				})
			})
		}
	}
}

func toV1beta1(request *certificatesv1.CertificateSigningRequest) runtime.Object {
	old := &certificatesv1beta1.CertificateSigningRequest{ObjectMeta: request.ObjectMeta}
	old.Status.Certificate = request.Status.Certificate
	for _, c := range request.Status.Conditions {
		old.Status.Conditions = append(old.Status.Conditions, certificatesv1beta1.CertificateSigningRequestCondition{
			Type: certificatesv1beta1.RequestConditionType(c.Type), Reason: c.Reason, Message: c.Message,
		})
	}
	return old
}

// While the server has neither version, both are requested each second.
func TestWaitForCertificateUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		client := fake.NewClientset()
		without(client, "v1")
		without(client, "v1beta1")
		if _, err := csr.WaitForCertificate(ctx, client, "a", "u"); !wait.Interrupted(err) {
			t.Errorf("error %v", err)
		}
		if n := len(client.Actions()); n < 10 || n > 12 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestDurations(t *testing.T) {
	if got := *csr.DurationToExpirationSeconds(90*time.Second + time.Millisecond); got != 90 {
		t.Errorf("%d seconds", got)
	}
	if got := csr.ExpirationSecondsToDuration(90); got != 90*time.Second {
		t.Errorf("%v", got)
	}
}
