package clientcmd_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// A program whose user chooses a context reads the files that kubectl reads.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "config")
	kubeconfig := api.Config{
		Clusters: map[string]*api.Cluster{
			"test":       {Server: "https://test.example.com"},
			"production": {Server: "https://production.example.com"},
		},
		AuthInfos: map[string]*api.AuthInfo{"jane": {Token: "secret"}},
		Contexts: map[string]*api.Context{
			"test":       {Cluster: "test", AuthInfo: "jane"},
			"production": {Cluster: "production", AuthInfo: "jane", Namespace: "shop"},
		},
		CurrentContext: "test",
	}
	if err = clientcmd.WriteToFile(kubeconfig, path); err != nil {
		log.Fatal(err)
	}

	rules := clientcmd.NewDefaultClientConfigLoadingRules() // $KUBECONFIG, or ~/.kube/config
	rules.ExplicitPath = path                               // from the flag --kubeconfig, if it is set
	overrides := &clientcmd.ConfigOverrides{CurrentContext: "production"}
	chosen := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
	config, err := chosen.ClientConfig()
	if err != nil {
		log.Fatal(err)
	}
	namespace, _, err := chosen.Namespace()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(config.Host, namespace)
	// Output: https://production.example.com shop
}

// A kubeconfig need not be a file: often it is the content of a Secret.
func ExampleRESTConfigFromKubeConfig() {
	config, err := clientcmd.RESTConfigFromKubeConfig([]byte(`
kind: Config
apiVersion: v1
clusters:
- name: test
  cluster: {server: "https://test.example.com"}
users:
- name: jane
  user: {token: secret}
contexts:
- name: jane@test
  context: {cluster: test, user: jane}
current-context: jane@test
`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(config.Host, config.BearerToken)
	// Output: https://test.example.com secret
}

// Errors name what is missing.
func ExampleConfirmUsable() {
	err := clientcmd.ConfirmUsable(api.Config{
		Clusters:       map[string]*api.Cluster{"test": {Server: "https://test.example.com"}},
		Contexts:       map[string]*api.Context{"jane@test": {Cluster: "test", AuthInfo: "jane"}},
		CurrentContext: "jane@test",
	}, "")
	fmt.Println(clientcmd.IsConfigurationInvalid(err))
	fmt.Println(err)
	// Output:
	// true
	// invalid configuration: user "jane" was not found for context "jane@test" (context "jane@test")
}

// The flags of kubectl replace single settings of a kubeconfig.
func ExampleBindOverrideFlags() {
	var overrides clientcmd.ConfigOverrides
	flags := pflag.NewFlagSet("shop", pflag.ContinueOnError)
	clientcmd.BindOverrideFlags(&overrides, flags, clientcmd.RecommendedConfigOverrideFlags(""))
	if err := flags.Parse([]string{"--context=test", "--namespace=shop", "--as=jane"}); err != nil {
		log.Fatal(err)
	}

	kubeconfig := api.Config{
		Clusters: map[string]*api.Cluster{"test": {Server: "https://test.example.com"}},
		Contexts: map[string]*api.Context{"test": {Cluster: "test"}},
	}
	chosen := clientcmd.NewDefaultClientConfig(kubeconfig, &overrides)
	config, err := chosen.ClientConfig()
	if err != nil {
		log.Fatal(err)
	}
	namespace, overridden, err := chosen.Namespace()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(config.Host, config.Impersonate.UserName, namespace, overridden)
	// Output: https://test.example.com jane shop true
}

// ModifyConfig writes changes to the files that the changed entries come from.
func ExampleModifyConfig() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	options := clientcmd.NewDefaultPathOptions()
	options.LoadingRules.ExplicitPath = filepath.Join(dir, "config")
	if err = clientcmd.WriteToFile(*api.NewConfig(), options.LoadingRules.ExplicitPath); err != nil {
		log.Fatal(err)
	}

	kubeconfig, err := options.GetStartingConfig()
	if err != nil {
		log.Fatal(err)
	}
	kubeconfig.Clusters["test"] = &api.Cluster{Server: "https://test.example.com"}
	kubeconfig.Contexts["test"] = &api.Context{Cluster: "test"}
	kubeconfig.CurrentContext = "test"
	if err = clientcmd.ModifyConfig(options, *kubeconfig, true); err != nil {
		log.Fatal(err)
	}

	config, err := clientcmd.BuildConfigFromFlags("", options.LoadingRules.ExplicitPath)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(config.Host)
	// Output: https://test.example.com
}
