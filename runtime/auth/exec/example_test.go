package exec_test

import (
	"fmt"
	"log"

	v1 "github.com/listwatch/listwatch/runtime/clientauthentication/v1"

	"github.com/listwatch/listwatch/runtime/auth/exec"
)

// A program that prints credentials learns from KUBERNETES_EXEC_INFO for which server they are; it calls
// LoadExecCredentialFromEnv.
func ExampleLoadExecCredential() {
	credential, config, err := exec.LoadExecCredential([]byte(`{
		"kind": "ExecCredential",
		"apiVersion": "client.authentication.k8s.io/v1",
		"spec": {"interactive": false, "cluster": {"server": "https://test.example.com"}}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(config.Host, credential.(*v1.ExecCredential).Spec.Interactive)
	// Output: https://test.example.com false
}
