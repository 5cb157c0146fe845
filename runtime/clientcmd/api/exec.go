package api

import "k8s.io/apimachinery/pkg/runtime"

// ExecConfig says how to run a program that prints credentials, by the contract of the API
// group client.authentication.k8s.io.
type ExecConfig struct {
	// Command is the program: a path, or a name looked up in PATH.
	Command string `json:"command"`
	// Args are its arguments.
	// +optional
	Args []string `json:"args"`
	// Env is added to the environment of this process when the program is run.
	// +optional
	Env []ExecEnvVar `json:"env"`

	// APIVersion is the version of ExecCredential that the program is given and must
	// answer with: client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1.
	APIVersion string `json:"apiVersion,omitempty"`

	// InstallHint is shown to the user when the program is not found.
	InstallHint string `json:"installHint,omitempty"`

	// ProvideClusterInfo makes the program see which cluster it is asked for, with its
	// CA data, in the environment variable KUBERNETES_EXEC_INFO.
	ProvideClusterInfo bool `json:"provideClusterInfo"`

	// Config is what the cluster's entry in the kubeconfig has for the program, given to
	// it with the cluster's other data. It is never written.
	Config runtime.Object `json:"-"`

	// InteractiveMode tells whether the program reads standard input. It is required in
	// v1; in v1beta1, IfAvailable is assumed by the loader of kubeconfig files.
	// +optional
	InteractiveMode ExecInteractiveMode `json:"interactiveMode,omitempty"`

	// StdinUnavailable says that standard input serves another purpose in this process.
	// It is never written.
	StdinUnavailable bool `json:"-"`

	// StdinUnavailableMessage says which purpose, for the error. It is never written.
	StdinUnavailableMessage string `json:"-"`

	// PluginPolicy decides whether Command may be run at all. It is never written.
	PluginPolicy PluginPolicy `json:"-"`
}

// ExecEnvVar is a variable in the environment of a program.
type ExecEnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ExecInteractiveMode tells what a program does with standard input.
type ExecInteractiveMode string

const (
	// NeverExecInteractiveMode is for a program that does not read standard input.
	NeverExecInteractiveMode ExecInteractiveMode = "Never"
	// IfAvailableExecInteractiveMode is for a program that reads it if it is a terminal
	// and free, and can do without.
	IfAvailableExecInteractiveMode ExecInteractiveMode = "IfAvailable"
	// AlwaysExecInteractiveMode is for a program that cannot do without: where standard
	// input is no terminal or not free, the program is not run.
	AlwaysExecInteractiveMode ExecInteractiveMode = "Always"
)

// PluginPolicy decides which programs may be run for credentials.
type PluginPolicy struct {
	// PolicyType is one of the constants below; empty means PluginPolicyAllowAll.
	PolicyType PolicyType `json:"-"`

	// Allowlist has the programs that may be run when PolicyType is
	// PluginPolicyAllowlist, and must be nil otherwise. One match is enough.
	Allowlist []AllowlistEntry `json:"-"`
}

// PolicyType is the kind of a PluginPolicy.
type PolicyType string

const (
	// PluginPolicyAllowAll lets every program run.
	PluginPolicyAllowAll PolicyType = "AllowAll"
	// PluginPolicyDenyAll lets none run.
	PluginPolicyDenyAll PolicyType = "DenyAll"
	// PluginPolicyAllowlist lets those run that the Allowlist has.
	PluginPolicyAllowlist PolicyType = "Allowlist"
)

// AllowlistEntry matches a program. Every field that is set must match; one must be set.
type AllowlistEntry struct {
	// Command is a clean path or a name. It matches a program of the same name or path,
	// before or after both are looked up in PATH.
	Command string `json:"-"`
}
