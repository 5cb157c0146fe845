package api

import "k8s.io/apimachinery/pkg/runtime"

// ExecConfig configures a program that prints credentials, as specified by the API group
// client.authentication.k8s.io.
type ExecConfig struct {
	// Command is the program: a path, or a name looked up in PATH.
	Command string `json:"command"`
	// Args are its arguments.
	// +optional
	Args []string `json:"args"`
	// Env is added to the environment of this process when the program is run.
	// +optional
	Env []ExecEnvVar `json:"env"`

	// APIVersion is the version of ExecCredential that the program receives and must return:
	// client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1.
	APIVersion string `json:"apiVersion,omitempty"`

	// InstallHint is shown to the user when the program is not found.
	InstallHint string `json:"installHint,omitempty"`

	// ProvideClusterInfo passes the cluster, with its CA data, to the program in the environment variable
	// KUBERNETES_EXEC_INFO.
	ProvideClusterInfo bool `json:"provideClusterInfo"`

	// Config is the program's configuration in the cluster's entry of the kubeconfig, passed to the program
	// with the cluster's other data. It is never written.
	Config runtime.Object `json:"-"`

	// InteractiveMode is whether the program reads standard input. It is required in v1; in v1beta1, the loader
	// of kubeconfig files assumes IfAvailable.
	// +optional
	InteractiveMode ExecInteractiveMode `json:"interactiveMode,omitempty"`

	// StdinUnavailable is true if this process uses standard input for something else. It is never written.
	StdinUnavailable bool `json:"-"`

	// StdinUnavailableMessage is the reason, for the error. It is never written.
	StdinUnavailableMessage string `json:"-"`

	// PluginPolicy decides whether Command may be run at all. It is never written.
	PluginPolicy PluginPolicy `json:"-"`
}

// ExecEnvVar is a variable in the environment of a program.
type ExecEnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ExecInteractiveMode is a program's use of standard input.
type ExecInteractiveMode string

const (
	// NeverExecInteractiveMode is for a program that does not read standard input.
	NeverExecInteractiveMode ExecInteractiveMode = "Never"
	// IfAvailableExecInteractiveMode is for a program that reads standard input if it is a terminal and not in
	// use, and does not require it.
	IfAvailableExecInteractiveMode ExecInteractiveMode = "IfAvailable"
	// AlwaysExecInteractiveMode is for a program that requires standard input: if it is not a terminal or in
	// use, the program is not run.
	AlwaysExecInteractiveMode ExecInteractiveMode = "Always"
)

// PluginPolicy decides which programs may be run for credentials.
type PluginPolicy struct {
	// PolicyType is one of the constants below; empty means PluginPolicyAllowAll.
	PolicyType PolicyType `json:"-"`

	// Allowlist contains the allowed programs if PolicyType is PluginPolicyAllowlist, and must be nil
	// otherwise. One match is enough.
	Allowlist []AllowlistEntry `json:"-"`
}

// PolicyType is the kind of a PluginPolicy.
type PolicyType string

const (
	// PluginPolicyAllowAll allows all programs.
	PluginPolicyAllowAll PolicyType = "AllowAll"
	// PluginPolicyDenyAll allows no programs.
	PluginPolicyDenyAll PolicyType = "DenyAll"
	// PluginPolicyAllowlist allows the programs in the Allowlist.
	PluginPolicyAllowlist PolicyType = "Allowlist"
)

// AllowlistEntry matches a program. All fields that are set must match; at least one must be set.
type AllowlistEntry struct {
	// Command is a clean path or a name. It matches a program of the same name or path,
	// before or after both are looked up in PATH.
	Command string `json:"-"`
}
