package execplugin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/term"
	"golang.org/x/time/rate"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/metrics"
)

const execInfoEnv = "KUBERNETES_EXEC_INFO"

// installHelp is the message about a missing program, with the hint of the configuration; it is shown at most
// ten times an hour.
const installHelp = `

It looks like you are trying to use a client-go credential plugin that is not installed.

To learn more about this feature, consult the documentation available at:
      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins`

// The statuses of metrics.ExecPluginCalls.
const (
	noError              = "no_error"
	pluginExecutionError = "plugin_execution_error"
	pluginNotFoundError  = "plugin_not_found_error"
	clientInternalError  = "client_internal_error"
)

// plugin is a program and how to run it.
type plugin struct {
	command     string
	args        secret.Value[[]string]
	env         secret.Value[[]string]
	version     string
	cluster     secret.Value[*Cluster] // zero if the program does not get it
	policy      policy
	interactive func() (bool, error)
	installHint string
	hints       *rate.Limiter
	stderr      io.Writer
}

func newPlugin(config *api.ExecConfig, cluster *Cluster) (*plugin, error) {
	if config.APIVersion != v1 && config.APIVersion != v1beta1 {
		return nil, fmt.Errorf("exec plugin: invalid apiVersion %q", config.APIVersion)
	}
	allowed, err := newPolicy(config.PluginPolicy)
	if err != nil {
		return nil, fmt.Errorf("invalid plugin policy: %w", err)
	}
	config = config.DeepCopy()
	p := &plugin{
		command:     filepath.Clean(config.Command),
		args:        secret.Of(config.Args),
		version:     config.APIVersion,
		policy:      allowed,
		interactive: func() (bool, error) { return interactive(config, term.IsTerminal(int(os.Stdin.Fd()))) },
		installHint: config.InstallHint,
		hints:       rate.NewLimiter(rate.Every(time.Hour/10), 10),
		stderr:      os.Stderr,
	}
	var env []string
	for _, variable := range config.Env {
		env = append(env, variable.Name+"="+variable.Value)
	}
	p.env = secret.Of(env)
	if config.ProvideClusterInfo {
		p.cluster = secret.Of(cluster)
	}
	return p, nil
}

// interactive reports whether the program gets standard input.
func interactive(config *api.ExecConfig, isTerminal bool) (bool, error) {
	switch config.InteractiveMode {
	case api.NeverExecInteractiveMode:
		return false, nil
	case api.IfAvailableExecInteractiveMode:
		return isTerminal && !config.StdinUnavailable, nil
	case api.AlwaysExecInteractiveMode:
		if !isTerminal {
			return false, errors.New("standard input is not a terminal")
		}
		if config.StdinUnavailable && config.StdinUnavailableMessage != "" {
			return false, fmt.Errorf("standard input is unavailable: %s", config.StdinUnavailableMessage)
		}
		if config.StdinUnavailable {
			return false, errors.New("standard input is unavailable")
		}
		return true, nil
	default:
		return false, fmt.Errorf("unknown interactiveMode: %q", config.InteractiveMode)
	}
}

// run runs the program and returns the credentials that it prints.
func (p *plugin) run() (*credentials, error) {
	interactive, err := p.interactive()
	if err != nil {
		return nil, fmt.Errorf("exec plugin cannot support interactive mode: %w", err)
	}
	info, err := encodeRequest(p.version, p.cluster.Reveal(), interactive)
	if err != nil {
		return nil, err
	}
	var stdout bytes.Buffer
	cmd := exec.Command(p.command, p.args.Reveal()...)
	cmd.Env = append(append(os.Environ(), p.env.Reveal()...), execInfoEnv+"="+info)
	cmd.Stdout = &stdout
	cmd.Stderr = p.stderr
	if interactive {
		cmd.Stdin = os.Stdin
	}
	if err := p.policy.check(cmd, p.command); err != nil {
		metrics.ExecPluginPolicyCalls.Increment("denied")
		return nil, err
	}
	metrics.ExecPluginPolicyCalls.Increment("allowed")
	if err := cmd.Run(); err != nil {
		return nil, p.failed(err)
	}
	metrics.ExecPluginCalls.Increment(0, noError)
	return decodeAnswer(stdout.Bytes(), p.version)
}

// failed counts a failed run, and returns its error.
func (p *plugin) failed(err error) error {
	var exit *exec.ExitError
	var lookup *exec.Error
	var path *fs.PathError
	switch {
	case errors.As(err, &exit):
		metrics.ExecPluginCalls.Increment(exit.ExitCode(), pluginExecutionError)
		return fmt.Errorf("exec: executable %s failed with exit code %d", p.command, exit.ExitCode())
	case errors.As(err, &lookup), errors.As(err, &path):
		metrics.ExecPluginCalls.Increment(1, pluginNotFoundError)
		if !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("exec: %w", err)
		}
		help := ""
		if p.hints.Allow() {
			help = installHelp
			if p.installHint != "" {
				help += "\n\n" + p.installHint
			}
		}
		return fmt.Errorf("exec: executable %s not found%s", p.command, help)
	default:
		metrics.ExecPluginCalls.Increment(1, clientInternalError)
		return fmt.Errorf("exec: %w", err)
	}
}
