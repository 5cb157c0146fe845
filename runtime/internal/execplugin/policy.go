package execplugin

import (
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// policy determines which programs may be run.
type policy struct {
	kind      api.PolicyType
	allowlist []string
}

// ValidatePolicy returns an error if p is invalid.
func ValidatePolicy(p api.PluginPolicy) error {
	_, err := newPolicy(p)
	return err
}

// newPolicy returns the policy that p describes. An invalid policy is an error, never a policy that allows more
// than intended.
func newPolicy(p api.PluginPolicy) (policy, error) {
	switch p.PolicyType {
	case "", api.PluginPolicyAllowAll, api.PluginPolicyDenyAll:
		if p.Allowlist != nil {
			return policy{}, fmt.Errorf("misconfigured credential plugin allowlist: plugin policy is %q but allowlist is non-nil", p.PolicyType)
		}
		return policy{kind: p.PolicyType}, nil
	case api.PluginPolicyAllowlist:
	default:
		return policy{}, fmt.Errorf("unknown plugin policy: %q", p.PolicyType)
	}
	if p.Allowlist == nil {
		return policy{}, fmt.Errorf("credential plugin policy set to %q, but allowlist is unspecified", api.PluginPolicyAllowlist)
	}
	if len(p.Allowlist) == 0 {
		return policy{}, fmt.Errorf("credential plugin policy set to %q, but allowlist is empty; use %q policy instead", api.PluginPolicyAllowlist, api.PluginPolicyDenyAll)
	}
	allowed := policy{kind: p.PolicyType}
	for i, entry := range p.Allowlist {
		if entry.Command == "" {
			return policy{}, fmt.Errorf("misconfigured credential plugin allowlist: empty allowlist entry #%d", i+1)
		}
		if cleaned := filepath.Clean(entry.Command); cleaned != entry.Command {
			return policy{}, fmt.Errorf("non-normalized file path: %q vs %q", entry.Command, cleaned)
		}
		allowed.allowlist = append(allowed.allowlist, entry.Command)
	}
	return allowed, nil
}

// check returns an error if cmd, created from command, is not allowed. Its Path is the program that would be
// run.
func (p policy) check(cmd *exec.Cmd, command string) error {
	switch p.kind {
	case api.PluginPolicyDenyAll:
		return fmt.Errorf("plugin %q not allowed: policy set to %q", command, api.PluginPolicyDenyAll)
	case api.PluginPolicyAllowlist:
		return p.checkAllowlist(cmd, command)
	default:
		return nil
	}
}

func (p policy) checkAllowlist(cmd *exec.Cmd, command string) error {
	if p.lists(command) || p.lists(cmd.Path) {
		return nil
	}
	if cmd.Err != nil {
		return fmt.Errorf("plugin path %q cannot be resolved for credential plugin allowlist check: %w", command, cmd.Err)
	}
	for _, entry := range p.allowlist {
		if filepath.Base(entry) != filepath.Base(cmd.Path) {
			continue
		}
		if path, err := exec.LookPath(entry); err == nil && path == cmd.Path {
			return nil
		}
	}
	return fmt.Errorf("plugin path %q is not permitted by the credential plugin allowlist", cmd.Path)
}

func (p policy) lists(command string) bool {
	for _, entry := range p.allowlist {
		if entry == command {
			return true
		}
	}
	return false
}
