// Package cmd_test runs the commands like users, with the scripts in testdata/script; see package
// testscript for their language.
package cmd_test

import (
	"context"
	"embed"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/listwatch/listwatch/internal/cli"
	"github.com/listwatch/listwatch/internal/golden"
)

//go:embed gen-*/main.go listwatch-fields/main.go listwatch-migrate/main.go
var sources embed.FS

// commands are the commands that scripts run, each as a process of this test binary.
var commands = map[string]func(source string) command{
	"gen-all":                generator(cli.GenAll),
	"gen-applyconfiguration": generator(cli.GenApplyConfiguration),
	"gen-clientset":          generator(cli.GenClientset),
	"gen-deepcopy":           generator(cli.GenDeepCopy),
	"gen-informer":           generator(cli.GenInformer),
	"gen-lister":             generator(cli.GenLister),
	"gen-register":           generator(cli.GenRegister),
	"gen-crd":                generator(cli.GenCRD),
	"gen-rbac":               generator(cli.GenRBAC),
	"gen-webhook":            generator(cli.GenWebhook),
	"listwatch-fields":       func(source string) command { return cli.FieldsTool{Source: source}.Main },
	"listwatch-migrate":      func(source string) command { return cli.MigrateTool{Source: source}.Main },
}

// command is a command's main function, which returns the exit code.
type command func(ctx context.Context, args []string, stdout, stderr io.Writer) int

func generator(tool func(source string) cli.Tool) func(source string) command {
	return func(source string) command { return tool(source).Main }
}

func TestMain(m *testing.M) {
	mains := map[string]func(){}
	for name, newCommand := range commands {
		mains[name] = func() {
			source, err := sources.ReadFile(name + "/main.go")
			if err != nil {
				panic(err)
			}
			os.Exit(newCommand(string(source))(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
		}
	}
	testscript.Main(m, mains)
}

func TestScripts(t *testing.T) {
	goEnv := map[string]string{}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOROOT"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatalf("go env %s: %v", name, err)
		}
		goEnv[name] = string(out[:len(out)-1])
	}
	// kube_codegen.sh runs the commands that testscript.Main put first into PATH.
	goEnv["KUBE_CODEGEN_BIN"] = filepath.SplitList(os.Getenv("PATH"))[0]
	goEnv["KUBE_CODEGEN"] = filepath.Join(golden.Root(t), "kube_codegen.sh")
	// The go command's cache of test results considers only files that a test opens itself.
	if _, err := os.ReadFile(goEnv["KUBE_CODEGEN"]); err != nil {
		t.Fatal(err)
	}
	params := testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       golden.Update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for name, value := range goEnv {
				env.Setenv(name, value)
			}
			// Nothing may be downloaded: only syntax is read.
			env.Setenv("GOFLAGS", "-mod=readonly")
			env.Setenv("GOPROXY", "off")
			return nil
		},
	}
	// Scripts with a directory .gomodproxy download from there.
	goproxytest.Setup(&params)
	testscript.Run(t, params)
}
