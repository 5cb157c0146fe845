package v1_test

import (
	"encoding/json"
	"log"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/listwatch/listwatch/runtime/clientauthentication/v1"
)

// An exec plugin is a program that prints credentials. A kubeconfig names it under users[].user.exec.
func Example() {
	expiry := metav1.NewTime(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
	err := json.NewEncoder(os.Stdout).Encode(&v1.ExecCredential{
		TypeMeta: metav1.TypeMeta{APIVersion: v1.SchemeGroupVersion.String(), Kind: "ExecCredential"},
		Status:   &v1.ExecCredentialStatus{Token: "secret", ExpirationTimestamp: &expiry},
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false},"status":{"expirationTimestamp":"2030-01-02T03:04:05Z","token":"secret"}}
}
