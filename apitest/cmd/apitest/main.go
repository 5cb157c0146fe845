// Apitest runs a Kubernetes API server in memory, for tests and demos.
//
//	apitest [flags]                   serve, and print the kubeconfig
//	apitest check PATH...             report what an API server refuses of CRDs and objects in files
//	apitest assets DIR                write kube-apiserver and etcd for envtest into DIR, and print its path
//	apitest kube-apiserver [flags]    serve with the flags of kube-apiserver
//	apitest etcd [flags]              answer health checks as etcd does
//	apitest control                   make servers for the program at the standard input: package apitest starts it
//
// It serves until it is interrupted. Everything is in memory, and is lost then.
//
// In CI, it tells whether API servers take the CRDs of a project, and its samples; see apitest check --help:
//
//	go tool apitest check config/crd/bases config/samples
//
// Suites that use controller-runtime's envtest run on it unchanged:
//
//	go get -tool github.com/listwatch/listwatch/apitest/cmd/apitest
//	KUBEBUILDER_ASSETS=$(go tool apitest assets bin/apitest) go test ./...
//
// The folder contains copies of the program, which serves like kube-apiserver or etcd if it has that name. Nothing is
// stored in that etcd: a kube-apiserver that is restarted has lost its objects. The copies end with the program that
// has started them, so that nothing is left of a test that is killed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
)

// exit codes
const (
	failed  = 1
	invalid = 2
)

// usageError reports an invalid command line.
type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if name := program(os.Args[0]); name == apiServer || name == etcd {
		ctx, stop = withParent(ctx)
		defer stop()
	}
	err := run(ctx, os.Args, os.Stdout, os.Stderr)
	if err == nil || errors.Is(err, pflag.ErrHelp) {
		return
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", program(os.Args[0]), err)
	code := failed
	if usage := (usageError{}); errors.As(err, &usage) {
		code = invalid
	}
	stop()
	os.Exit(code) //nolint:gocritic // stop was called
}

// program returns the name by which a program was called.
func program(arg string) string { return strings.TrimSuffix(filepath.Base(arg), ".exe") }

// run runs a command line. The first argument is the name of the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	name, args := program(args[0]), args[1:]
	if name != apiServer && name != etcd {
		name = ""
		if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
			name, args = args[0], args[1:]
		}
	}
	switch name {
	case "":
		return serve(ctx, args, stdout, stderr)
	case "check":
		return check(ctx, args, stdout, stderr)
	case "assets":
		return assets(args, stdout)
	case "control":
		return serveControl(ctx, args, os.Stdin, os.Stdout)
	case apiServer:
		return serveAPI(ctx, args, stdout, stderr)
	case etcd:
		return serveEtcd(ctx, args, stdout)
	}
	return usageError{fmt.Errorf("unknown command %q; see --help", name)}
}
