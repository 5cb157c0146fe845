package envtest

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// Environment is an API server, with what is installed on it. The zero value is ready to start. It is not safe for
// concurrent use.
type Environment struct {
	// ControlPlane describes the server after Start, for AddUser and its own methods: its address and authority are
	// in ControlPlane.APIServer.SecureServing. Of what is set before, only the flags in
	// ControlPlane.APIServer.Configure(), its address and Authn have an effect.
	ControlPlane ControlPlane

	// Scheme has the types whose CRDs get a conversion webhook, because they implement Hub and Convertible. The
	// default is client-go's scheme.
	Scheme *runtime.Scheme

	// Config is a configuration with all permissions, which Start sets; it is read with UseExistingCluster.
	Config *rest.Config

	// KubeConfig is the content of a kubeconfig file for Config, which Start sets.
	KubeConfig []byte

	// CRDInstallOptions are the CRDs to install, besides CRDs and CRDDirectoryPaths.
	CRDInstallOptions CRDInstallOptions

	// WebhookInstallOptions are the webhooks to install. Start sets the address and the directory of the
	// certificate at which the test has to serve them.
	WebhookInstallOptions WebhookInstallOptions

	// ErrorIfCRDPathMissing makes Start fail if a path of CRDs does not exist. It replaces
	// CRDInstallOptions.ErrorIfPathMissing.
	ErrorIfCRDPathMissing bool

	// CRDs are CRDs to install. Start adds all others that it installs.
	CRDs []*apiextensionsv1.CustomResourceDefinition

	// CRDDirectoryPaths are files, and directories of files, with CRDs to install.
	CRDDirectoryPaths []string

	DownloadBinaryAssets         bool   // has no effect
	DownloadBinaryAssetsVersion  string // has no effect
	DownloadBinaryAssetsIndexURL string // has no effect
	BinaryAssetsDirectory        string // has no effect

	// UseExistingCluster starts no server: Config, otherwise the usual kubeconfig, says where one is. The default,
	// nil, is whether the variable USE_EXISTING_CLUSTER of the environment is true.
	UseExistingCluster *bool

	ControlPlaneStartTimeout time.Duration // has no effect
	ControlPlaneStopTimeout  time.Duration // has no effect
	AttachControlPlaneOutput bool          // has no effect

	server    *embedded.Server
	installed *envtest.Environment
}

// Start starts the server and installs CRDs and webhooks. It returns Config. If it fails, nothing runs; Stop may be
// called regardless.
func (te *Environment) Start() (*rest.Config, error) {
	if !te.useExistingCluster() {
		if err := te.startServer(); err != nil {
			return nil, errors.Join(fmt.Errorf("start an API server: %w", err), te.stopServer())
		}
	}
	config, err := te.install()
	if err != nil {
		te.installed = nil
		return config, errors.Join(err, te.WebhookInstallOptions.Cleanup(), te.stopServer())
	}
	return config, nil
}

// Stop deletes the CRDs if CRDInstallOptions.CleanUpAfterUse says so, removes the certificate of webhooks, and stops
// the server if Start has started it. Further calls do nothing.
func (te *Environment) Stop() error {
	if te.installed == nil {
		return te.stopServer()
	}
	te.take(te.installed)
	err := te.installed.Stop()
	te.installed = nil
	return errors.Join(err, te.stopServer())
}

// AddUser adds a user of the server, with a client certificate. Its configuration is a copy of base, which may be
// nil, completed.
func (te *Environment) AddUser(user User, base *rest.Config) (*AuthenticatedUser, error) {
	return te.ControlPlane.AddUser(user, base)
}

func (te *Environment) useExistingCluster() bool {
	if te.UseExistingCluster != nil {
		return *te.UseExistingCluster
	}
	return strings.EqualFold(os.Getenv("USE_EXISTING_CLUSTER"), "true")
}

// install lets controller-runtime install CRDs and webhooks, on the server as an existing cluster.
func (te *Environment) install() (*rest.Config, error) {
	existing := true
	te.installed = &envtest.Environment{UseExistingCluster: &existing}
	te.take(te.installed)
	config, err := te.installed.Start()
	te.Config, te.KubeConfig, te.Scheme, te.CRDs = te.installed.Config, te.installed.KubeConfig, te.installed.Scheme, te.installed.CRDs
	te.CRDInstallOptions, te.WebhookInstallOptions = te.installed.CRDInstallOptions, te.installed.WebhookInstallOptions
	return config, err
}

// take sets the fields of other that a test can change.
func (te *Environment) take(other *envtest.Environment) {
	other.Config, other.KubeConfig, other.Scheme = te.Config, te.KubeConfig, te.Scheme
	other.CRDs, other.CRDDirectoryPaths, other.ErrorIfCRDPathMissing = te.CRDs, te.CRDDirectoryPaths, te.ErrorIfCRDPathMissing
	other.CRDInstallOptions, other.WebhookInstallOptions = te.CRDInstallOptions, te.WebhookInstallOptions
}

// startServer starts the server, and describes it in ControlPlane and Config.
func (te *Environment) startServer() error {
	te.CRDs, te.CRDInstallOptions.CRDs = anew(te.CRDs), anew(te.CRDInstallOptions.CRDs)
	plane := te.ControlPlane.GetAPIServer()
	var err error
	if plane.CertDir, err = os.MkdirTemp("", "envtest-"); err != nil {
		return err
	}
	users := plane.Authn
	if users == nil {
		users = &certificates{te}
	} else if err = users.Configure(plane.CertDir, plane.Configure()); err != nil {
		return err
	}
	args := plane.Configure().AsStrings(map[string][]string{
		"bind-address": {or(plane.Address, "127.0.0.1")},
		"secure-port":  {or(plane.Port, strconv.Itoa(plane.SecurePort))}, //nolint:staticcheck // still accepted
	})
	options, ignored, err := embedded.FlagOptions(args)
	if err != nil {
		return err
	}
	if len(ignored) > 0 {
		log.Log.WithName("envtest").Info("Flags of kube-apiserver are ignored", "flags", ignored)
	}
	if err = users.Start(); err != nil {
		return err
	}
	if te.server, err = embedded.New(options...); err != nil {
		return err
	}
	return te.describe(users)
}

// anew returns copies of CRDs, which may have been installed on an earlier server.
func anew(crds []*apiextensionsv1.CustomResourceDefinition) []*apiextensionsv1.CustomResourceDefinition {
	var out []*apiextensionsv1.CustomResourceDefinition
	for _, crd := range crds {
		crd = crd.DeepCopy()
		crd.ResourceVersion, crd.UID = "", ""
		out = append(out, crd)
	}
	return out
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// describe sets the fields that describe the server.
func (te *Environment) describe(users Authn) error {
	address, err := url.Parse(te.server.URL())
	if err != nil {
		return err
	}
	plane := te.ControlPlane.GetAPIServer()
	plane.Address, plane.Port = address.Hostname(), address.Port()
	plane.Authn, plane.CA = users, te.server.RESTConfig().CAData
	if plane.SecurePort, err = strconv.Atoi(address.Port()); err != nil { //nolint:staticcheck // still set
		return fmt.Errorf("port of %s: %w", net.JoinHostPort(address.Hostname(), address.Port()), err)
	}
	// The limits are controller-runtime's for tests.
	admin, err := te.AddUser(User{Name: "admin", Groups: []string{"system:masters"}}, &rest.Config{QPS: 1000, Burst: 2000})
	if err != nil {
		return err
	}
	te.Config, te.KubeConfig = admin.Config(), nil
	return nil
}

// stopServer stops the server, if there is one, and makes a new start possible.
func (te *Environment) stopServer() error {
	if te.ControlPlane.APIServer == nil || te.ControlPlane.APIServer.CertDir == "" {
		return nil
	}
	plane := te.ControlPlane.APIServer
	err := os.RemoveAll(plane.CertDir)
	plane.CertDir = ""
	if _, ok := plane.Authn.(*certificates); !ok && plane.Authn != nil {
		err = errors.Join(err, plane.Authn.Stop())
	}
	if te.server != nil {
		err = errors.Join(err, te.server.Stop())
		te.server = nil
	}
	return err
}

// certificates are users with certificates of the server's own authority. It implements Authn.
type certificates struct{ environment *Environment }

// Configure does nothing.
func (c *certificates) Configure(string, *Arguments) error { return nil }

// Start does nothing.
func (c *certificates) Start() error { return nil }

// Stop does nothing.
func (c *certificates) Stop() error { return nil }

// AddUser returns a copy of base with the user's certificate.
func (c *certificates) AddUser(user User, base *rest.Config) (*rest.Config, error) {
	if c.environment.server == nil {
		return nil, embedded.ErrStopped
	}
	signed, err := c.environment.server.Certificate(user.Name, user.Groups...)
	if err != nil {
		return nil, err
	}
	config := rest.CopyConfig(base)
	config.CertData, config.KeyData = signed.Cert, signed.Key
	return config, nil
}
