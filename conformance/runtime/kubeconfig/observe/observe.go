// Package observe observes what a library makes of a kubeconfig.
package observe

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/listwatch/listwatch/internal/kubeconfigtest"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"

	_ "github.com/listwatch/listwatch/runtime/auth"
)

// Observe returns all aspects of a case, whose directory is the working directory. It modifies the files last.
func Observe(c kubeconfigtest.Case) []kubeconfigtest.Observation {
	var o observer
	rules, overrides, err := settings(c)
	if err != nil {
		o.add("settings", "", err)
		return o.all
	}
	loaded, err := rules.Load()
	o.add("load", kubeconfigtest.Dump(loaded), err)
	deferred := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
	raw, err := deferred.RawConfig()
	o.add("raw", kubeconfigtest.Dump(raw), err)
	if err == nil {
		merged, failed := clientcmd.NewNonInteractiveClientConfig(raw, overrides.CurrentContext, overrides, rules).MergedRawConfig()
		o.add("merged", kubeconfigtest.Dump(merged), failed)
		o.add("validate", "", clientcmd.Validate(raw))
		o.add("usable", "", clientcmd.ConfirmUsable(raw, overrides.CurrentContext))
	}
	namespace, overridden, err := deferred.Namespace()
	o.add("namespace", fmt.Sprint(namespace, overridden), err)
	config, err := deferred.ClientConfig()
	o.client("client", config, err)
	if explicit := c.Options["explicit"]; explicit != "" {
		config, err := clientcmd.BuildConfigFromFlags("", explicit)
		o.client("build", config, err)
		config, err = clientcmd.BuildConfigFromFlags("https://master", explicit)
		o.client("build-master", config, err)
		if data, err := os.ReadFile(explicit); err == nil {
			config, err := clientcmd.RESTConfigFromKubeConfig(data)
			o.client("bytes", config, err)
		}
	}
	for _, file := range c.Files {
		o.file(file.Name)
	}
	if command := c.Options["modify"]; command != "" {
		o.add("modify", "", modify(c, strings.Fields(command)))
		o.add("modified", contents(), nil)
	}
	return o.all
}

// settings returns the loading rules and overrides of a case.
func settings(c kubeconfigtest.Case) (*clientcmd.ClientConfigLoadingRules, *clientcmd.ConfigOverrides, error) {
	rules := &clientcmd.ClientConfigLoadingRules{}
	if c.Options["kubeconfig"] != "" {
		rules = clientcmd.NewDefaultClientConfigLoadingRules()
		rules.MigrationRules = nil
		rules.Warner = func(error) {}
	}
	rules.ExplicitPath = c.Options["explicit"]
	rules.DoNotResolvePaths = c.Options["keep-paths"] != ""
	overrides := &clientcmd.ConfigOverrides{}
	overrides.ClusterDefaults.Server = c.Options["default-server"]
	if c.Options["legacy-defaults"] != "" {
		rules.DefaultClientConfig = &clientcmd.DefaultClientConfig
		overrides.ClusterDefaults = clientcmd.ClusterDefaults
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	clientcmd.BindOverrideFlags(overrides, flags, clientcmd.RecommendedConfigOverrideFlags(""))
	return rules, overrides, flags.Parse(c.Flags())
}

type observer struct {
	all []kubeconfigtest.Observation
}

func (o *observer) add(aspect, value string, err error) {
	kinds := ""
	if err != nil {
		value = ""
		kinds = fmt.Sprintf("empty %v, context not found %v, invalid %v, not exist %v, ErrNoContext %v",
			clientcmd.IsEmptyConfig(err), clientcmd.IsContextNotFound(err), clientcmd.IsConfigurationInvalid(err),
			errors.Is(err, fs.ErrNotExist), errors.Is(err, clientcmd.ErrNoContext))
	}
	o.all = append(o.all, kubeconfigtest.Observation{Aspect: aspect, Value: value, Err: err, Kinds: kinds})
}

// client adds the configuration of a client, and of its transport.
func (o *observer) client(aspect string, config *rest.Config, err error) {
	value := kubeconfigtest.Dump(config)
	if err == nil && config.Proxy != nil {
		proxy, failed := config.Proxy(&http.Request{})
		value += fmt.Sprint(proxy, failed)
	}
	o.add(aspect, value, err)
	if err != nil {
		return
	}
	transport, err := config.TransportConfig()
	o.add(aspect+"-transport", kubeconfigtest.Dump(transport), err)
	_, err = rest.HTTPClientFor(config)
	o.add(aspect+"-http", "", err)
	if config.ExecProvider != nil {
		cluster, err := rest.ConfigToExecCluster(config)
		o.add(aspect+"-exec-cluster", kubeconfigtest.Dump(cluster), err)
	}
}

// file adds a single file, and what is made of it for display and for another machine.
func (o *observer) file(name string) {
	config, err := clientcmd.LoadFromFile(name)
	o.add("file "+name, kubeconfigtest.Dump(config), err)
	if err != nil {
		return
	}
	o.written("write "+name, config, nil)
	config = config.DeepCopy()
	o.written("minify "+name, config, api.MinifyConfig(config))
	config, _ = clientcmd.LoadFromFile(name)
	o.written("flatten "+name, config, api.FlattenConfig(config))
	api.ShortenConfig(config)
	o.written("shorten "+name, config, nil)
	config, _ = clientcmd.LoadFromFile(name)
	o.written("redact "+name, config, api.RedactSecrets(config))
}

func (o *observer) written(aspect string, config *api.Config, err error) {
	if err != nil {
		o.add(aspect, "", err)
		return
	}
	data, err := clientcmd.Write(*config)
	o.add(aspect, string(data), err)
}

// modify changes the files of a case.
func modify(c kubeconfigtest.Case, command []string) error {
	access := clientcmd.NewDefaultPathOptions()
	access.GlobalFile = "none"
	access.LoadingRules.ExplicitPath = c.Options["explicit"]
	access.LoadingRules.DoNotResolvePaths = false
	access.LoadingRules.MigrationRules = nil
	config, err := access.GetStartingConfig()
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	switch command[0] {
	case "none":
	case "token":
		config.AuthInfos[command[1]].Token = command[2]
	case "namespace":
		config.Contexts[command[1]].Namespace = command[2]
	case "ca":
		config.Clusters[command[1]].CertificateAuthority = kubeconfigtest.Expand(command[2], dir)
	case "cluster":
		config.Clusters[command[1]] = &api.Cluster{Server: command[2]}
	case "current":
		config.CurrentContext = strings.TrimPrefix(command[1], "-")
	case "preferences":
		config.Preferences.Colors = true
	case "delete":
		delete(config.Clusters, command[1])
		delete(config.AuthInfos, command[1])
		delete(config.Contexts, command[1])
	default:
		return fmt.Errorf("unknown command %s", command[0])
	}
	return clientcmd.ModifyConfig(access, *config, true)
}

// contents returns all files below the working directory.
func contents() string {
	var b strings.Builder
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "-- %s --\n%s", path, data)
		return err
	})
	return b.String() + fmt.Sprint(err)
}
