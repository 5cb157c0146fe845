package api_test

import (
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// A kubeconfig for another machine has only what its context uses, and contains the files that it refers to.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	authority := filepath.Join(dir, "ca.crt")
	if err = os.WriteFile(authority, []byte("a certificate"), 0o600); err != nil {
		log.Fatal(err)
	}
	config := &api.Config{
		Clusters: map[string]*api.Cluster{
			"test":       {Server: "https://test.example.com", CertificateAuthority: authority},
			"production": {Server: "https://production.example.com"},
		},
		AuthInfos:      map[string]*api.AuthInfo{"jane": {}, "joe": {}},
		Contexts:       map[string]*api.Context{"jane@test": {Cluster: "test", AuthInfo: "jane"}},
		CurrentContext: "jane@test",
	}

	if err = api.MinifyConfig(config); err != nil {
		log.Fatal(err)
	}
	if err = api.FlattenConfig(config); err != nil {
		log.Fatal(err)
	}
	fmt.Println(slices.Collect(maps.Keys(config.Clusters)), slices.Collect(maps.Keys(config.AuthInfos)))
	fmt.Printf("%q %s\n", config.Clusters["test"].CertificateAuthority, config.Clusters["test"].CertificateAuthorityData)
	// Output:
	// [test] [jane]
	// "" a certificate
}

// RedactSecrets prepares a kubeconfig for display.
func ExampleRedactSecrets() {
	config := &api.Config{AuthInfos: map[string]*api.AuthInfo{"jane": {Token: "very secret"}}}
	if err := api.RedactSecrets(config); err != nil {
		log.Fatal(err)
	}
	fmt.Println(config.AuthInfos["jane"].Token)
	// Output: REDACTED
}
