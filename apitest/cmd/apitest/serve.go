package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/listwatch/listwatch/apitest/embedded"
)

const usage = `Apitest runs a Kubernetes API server in memory, for tests and demos.

  apitest [flags]                   serve, and print the kubeconfig
  apitest check PATH...             report what an API server refuses of CRDs and objects in files
  apitest assets DIR                write kube-apiserver and etcd for envtest into DIR, and print its path
  apitest kube-apiserver [flags]    serve with the flags of kube-apiserver
  apitest etcd [flags]              answer health checks as etcd does
  apitest control                   make servers for the program at the standard input: package apitest starts it

It serves until it is interrupted. Everything is in memory, and is lost then.

Flags:
`

// serve runs a server with its own flags.
func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := pflag.NewFlagSet("apitest", pflag.ContinueOnError)
	flags.SetOutput(stderr)
	address := flags.String("address", "127.0.0.1:0", "host and port of the server; port 0 is a free one")
	kubeconfig := flags.String("kubeconfig", "", "file to which the kubeconfig is written instead of the standard output")
	crds := flags.StringSlice("crds", nil, "files, folders or patterns with CustomResourceDefinitions")
	manifests := flags.StringSlice("manifests", nil, "files, folders or patterns with objects of any kinds")
	pace := flags.Duration("pace", 0, "time that each write takes, such as 1ms, as on etcd")
	flags.Usage = func() { fmt.Fprint(stdout, usage+flags.FlagUsages()) }
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return err
		}
		return usageError{err}
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	}
	srv, err := embedded.New(embedded.WithAddress(*address), embedded.WithCRDs(*crds...), embedded.WithManifests(*manifests...), embedded.WithPace(*pace))
	if err != nil {
		return err
	}
	if err := announce(srv, *kubeconfig, stdout); err != nil {
		return errors.Join(err, srv.Stop())
	}
	<-ctx.Done()
	return srv.Stop()
}

// announce writes the kubeconfig to a file, or to stdout, which it closes if it can: a program that reads it has all of
// it then.
func announce(srv *embedded.Server, file string, stdout io.Writer) error {
	if file != "" {
		return srv.WriteKubeconfig(file)
	}
	config, err := srv.Kubeconfig()
	if err != nil {
		return err
	}
	_, err = stdout.Write(config)
	if out, ok := stdout.(io.Closer); ok {
		err = errors.Join(err, out.Close())
	}
	return err
}
