package embedded

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// FlagOptions returns the options of a server for the command line of a kube-apiserver, without its name:
//
//	--bind-address, --secure-port          WithAddress; the defaults are 127.0.0.1 and 6443
//	--tls-cert-file, --tls-private-key-file  WithServingCertificate
//	--cert-dir                             the same, if it has apiserver.crt and apiserver.key
//	--client-ca-file                       WithClientCA
//	--authorization-mode                   RBAC or AlwaysAllow; other modes must be beside one of these
//	--disable-admission-plugins            without what these plugins do
//	--enable-admission-plugins             ServiceAccount; the others are enabled already, or are not part of the server
//
// docs/admission.md lists the plugins. Names that are not kube-apiserver's are errors.
//
// It ignores other flags: ignored contains those of them that could make a difference, that is, other than those
// that name an etcd, the network of services and keys of service accounts, and --enable-admission-plugins with what
// the server does not have. Errors name the invalid flag.
func FlagOptions(args []string) (options []Option, ignored []string, err error) {
	values, order, err := parseFlags(args)
	if err != nil {
		return nil, nil, err
	}
	address := net.JoinHostPort(values.one("bind-address", "127.0.0.1"), values.one("secure-port", "6443"))
	options = append(options, WithAddress(address))
	serving, err := values.serving()
	if err != nil {
		return nil, nil, err
	}
	options = append(options, serving...)
	for _, file := range values["client-ca-file"] {
		var ca []byte
		if ca, err = os.ReadFile(file); err != nil {
			return nil, nil, fmt.Errorf("--client-ca-file: %w", err)
		}
		options = append(options, WithClientCA(ca))
	}
	rules, err := values.authorizer()
	if err != nil {
		return nil, nil, err
	}
	if rules != nil {
		options = append(options, WithAuthorizer(rules))
	}
	without, missing, err := values.plugins()
	if err != nil {
		return nil, nil, err
	}
	options = append(options, without)
	for _, name := range order {
		if name == enablePlugins && len(missing) > 0 {
			ignored = append(ignored, "--"+name+"="+strings.Join(missing, ","))
		}
		if !slices.Contains(knownFlags, name) {
			ignored = append(ignored, "--"+name)
		}
	}
	return options, ignored, nil
}

// knownFlags are those that have an effect, and those that need none.
var knownFlags = []string{
	"bind-address", "secure-port", "tls-cert-file", "tls-private-key-file", "cert-dir", "client-ca-file", "authorization-mode",
	"advertise-address", "allow-privileged", disablePlugins, enablePlugins, "etcd-servers", "insecure-port",
	"service-account-issuer", "service-account-key-file", "service-account-signing-key-file", "service-cluster-ip-range",
	"v",
}

// flags are the values of flags by name.
type flags map[string][]string

// parseFlags returns the flags of a command line, and their names in order.
func parseFlags(args []string) (values flags, order []string, err error) {
	values = flags{}
	for i := 0; i < len(args); i++ {
		flag, ok := strings.CutPrefix(args[i], "-")
		flag = strings.TrimPrefix(flag, "-")
		if !ok || flag == "" {
			return nil, nil, fmt.Errorf("unexpected argument %q: kube-apiserver takes only flags", args[i])
		}
		name, value, ok := strings.Cut(flag, "=")
		switch {
		case ok:
		case i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++
			value = args[i]
		default:
			value = "true"
		}
		if _, ok := values[name]; !ok {
			order = append(order, name)
		}
		values[name] = append(values[name], value)
	}
	return values, order, nil
}

// one returns the last value of a flag, or a default.
func (f flags) one(name, otherwise string) string {
	if values := f[name]; len(values) > 0 {
		return values[len(values)-1]
	}
	return otherwise
}

// serving returns the server's certificate.
func (f flags) serving() ([]Option, error) {
	certificate, key := f.one("tls-cert-file", ""), f.one("tls-private-key-file", "")
	if dir := f.one("cert-dir", ""); certificate == "" && key == "" && dir != "" {
		certificate, key = filepath.Join(dir, "apiserver.crt"), filepath.Join(dir, "apiserver.key")
		if _, err := os.Stat(certificate); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	if certificate == "" && key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert-file, --tls-private-key-file or --cert-dir: %w", err)
	}
	// A file without its authority is verified by itself.
	ca, err := os.ReadFile(certificate)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert-file or --cert-dir: %w", err)
	}
	return []Option{WithServingCertificate(pair, ca)}, nil
}

// authorizer returns what WithAuthorizer takes; nil is the default.
func (f flags) authorizer() (authorizer.UnconditionalAuthorizer, error) {
	var modes []string
	for _, value := range f["authorization-mode"] {
		modes = append(modes, strings.Split(value, ",")...)
	}
	switch {
	case slices.Contains(modes, "AlwaysAllow"):
		return authorizer.AuthorizerFunc(always), nil
	case len(modes) == 0 || slices.Contains(modes, "RBAC"):
		return nil, nil
	}
	return nil, fmt.Errorf("--authorization-mode: %s: use RBAC or AlwaysAllow", strings.Join(modes, ","))
}

// always authorizes all requests.
func always(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}
