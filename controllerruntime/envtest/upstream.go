package envtest

import "sigs.k8s.io/controller-runtime/pkg/envtest"

// What is controller-runtime's own.
type (
	// APIServer describes the server: its address, certificates and flags.
	APIServer = envtest.APIServer
	// Arg is a flag with its values.
	Arg = envtest.Arg
	// Arguments are the flags of a server.
	Arguments = envtest.Arguments
	// AuthenticatedUser is a user with a client certificate.
	AuthenticatedUser = envtest.AuthenticatedUser
	// Authn adds users to a server.
	Authn = envtest.Authn
	// CRDInstallOptions are the CRDs to install, and how to wait for them.
	CRDInstallOptions = envtest.CRDInstallOptions
	// ControlPlane is the server as controller-runtime describes it.
	ControlPlane = envtest.ControlPlane
	// Etcd describes an etcd, which does not exist here.
	Etcd = envtest.Etcd
	// ListenAddr is the address of a server.
	ListenAddr = envtest.ListenAddr
	// SecureServing is how a server serves TLS.
	SecureServing = envtest.SecureServing
	// User is the name and groups of a user.
	User = envtest.User
	// WebhookInstallOptions are the webhooks to install, and where they are served.
	WebhookInstallOptions = envtest.WebhookInstallOptions
)

// Limits of time in seconds, for the contexts of suites.
const (
	StartTimeout = envtest.StartTimeout
	StopTimeout  = envtest.StopTimeout
)

// What is controller-runtime's own.
var (
	// EmptyArguments returns no flags.
	EmptyArguments = envtest.EmptyArguments
	// DefaultBinaryAssetsIndexURL has no effect.
	DefaultBinaryAssetsIndexURL = envtest.DefaultBinaryAssetsIndexURL
	// DefaultKubeAPIServerFlags has no effect.
	DefaultKubeAPIServerFlags = envtest.DefaultKubeAPIServerFlags //nolint:staticcheck // suites may use it
	// SetupEnvtestDefaultBinaryAssetsDirectory returns a directory that has no effect.
	SetupEnvtestDefaultBinaryAssetsDirectory = envtest.SetupEnvtestDefaultBinaryAssetsDirectory

	// InstallCRDs reads CRDs, creates or updates them, and waits until they are served.
	InstallCRDs = envtest.InstallCRDs
	// ReadCRDFiles adds the CRDs in the paths of options to its CRDs.
	ReadCRDFiles = envtest.ReadCRDFiles
	// CreateCRDs creates or updates CRDs.
	CreateCRDs = envtest.CreateCRDs
	// WaitForCRDs waits until CRDs are served.
	WaitForCRDs = envtest.WaitForCRDs
	// UninstallCRDs reads CRDs and deletes them.
	UninstallCRDs = envtest.UninstallCRDs
	// WaitForWebhooks waits until configurations of webhooks exist.
	WaitForWebhooks = envtest.WaitForWebhooks
)
