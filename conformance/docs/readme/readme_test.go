package readme

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/internal/release"
	"github.com/listwatch/listwatch/internal/snippets"
)

// root is the directory of the tree.
const root = "../../.."

// heading is the first line of a block of Go that is a file.
var heading = regexp.MustCompile(`^// (\S+\.go)\n\n?`)

// excerpt is the first line of a block of Go that is part of a file of the project that README starts.
var excerpt = regexp.MustCompile(`^// in (\S+\.go)\n\n?`)

// TestUser publishes the tree's modules, gets each into an empty one, follows README and the guides as a user does, and
// starts projects.
func TestUser(t *testing.T) {
	u := newUser(t)
	t.Run("modules", func(t *testing.T) { get(t, u) })
	t.Run("apitest", func(t *testing.T) {
		outside := &user{dir: t.TempDir(), env: u.env} // of all modules
		outside.run(t, "go run "+release.Root+"/apitest/cmd/apitest@latest etcd --version")
	})
	t.Run("documents", func(t *testing.T) { followDocuments(t, u) })
	t.Run("init", func(t *testing.T) { initialize(t, u) })
	t.Run("obstructed", func(t *testing.T) { obstruct(t, u) })
}

// get gets each published module into an empty one. client-go is one that takes the place of another, in a program. Those
// of a release are downloaded with all that they require: for this, the module cache is empty too. What the other tests
// compile is in the cache that is shared, because packages in another directory would be compiled anew.
func get(t *testing.T, u *user) {
	env := slices.Clone(u.env)
	if *cut != "" {
		env = append(env, "GOMODCACHE="+t.TempDir(), "GOFLAGS=-modcacherw") // -modcacherw: so that it can be removed
	}
	for _, dir := range release.Published {
		empty := &user{dir: t.TempDir(), env: env}
		module := path.Join(release.Root, dir) + "@latest"
		command := "go get " + module
		if dir == "client-go" {
			empty.write(t, "main.go", program)
			command = "go mod edit -replace=k8s.io/client-go=" + module + " -require=k8s.io/client-go@v0.37.2 && go mod tidy && go run ."
		}
		empty.run(t, "go mod init example.com/empty && "+command)
	}
}

// program is a program of client-go's, which ends with an error if its types are client-go's own.
const program = `package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func main() {
	for _, v := range []any{rest.Config{}, cache.ListWatch{}} {
		if path := reflect.TypeOf(v).PkgPath(); !strings.HasPrefix(path, "github.com/listwatch/") {
			fmt.Fprintln(os.Stderr, path)
			os.Exit(1)
		}
	}
}
`

// document is a text whose commands are run and whose code is compiled.
type document struct {
	name     string
	project  string            // the directory in which it is followed; documents before have left it as it is then
	sections map[string]string // the directories of sections, by their heading, in place of project
}

// documents are README and all guides, in the order in which they are followed.
var documents = []document{
	{name: "README.md", project: "shop", sections: map[string]string{"One line in go.mod": "program"}},
	{name: "docs/guides/replace.md", project: "program"},
	{name: "docs/guides/new-controller.md", project: "shop"},
	{name: "docs/guides/runtime.md", project: "shop"},
	{name: "docs/guides/testing.md", project: "shop"},
	{name: "docs/guides/perturb.md", project: "shop"},
	{name: "docs/guides/clients.md", project: "shop"},
	{name: "docs/guides/memory.md", project: "shop"},
	{name: "docs/guides/replicas.md", project: "shop"},
	{name: "docs/guides/namespaces.md", project: "shop"},
	{name: "docs/guides/versions.md", project: "shop"},
	{name: "docs/guides/generators.md", project: "shop"},
	{name: "docs/guides/existing-types.md", project: "shop"},
	{name: "docs/guides/keep-client-go.md", project: "shop"},
	{name: "docs/guides/production.md", project: "production"},
}

// TestDocuments checks that every guide is followed.
func TestDocuments(t *testing.T) {
	guides, err := filepath.Glob(filepath.Join(root, "docs", "guides", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"README.md"}
	for _, guide := range guides {
		want = append(want, "docs/guides/"+filepath.Base(guide))
	}
	var got []string
	for _, d := range documents {
		got = append(got, d.name)
	}
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("documents that exist, and those that are followed: %s", d)
	}
}

// followDocuments follows the documents in directories that are empty, except for a program that uses client-go.
func followDocuments(t *testing.T, released *user) {
	all := t.TempDir()
	project := func(name string) *user {
		u := &user{dir: filepath.Join(all, name), env: released.env, targets: released.targets}
		if err := os.MkdirAll(u.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		return u
	}
	done := map[string]bool{}
	unchanged := project("program")
	unchanged.write(t, "main.go", program)
	unchanged.run(t, "go mod init example.com/program && go get k8s.io/client-go@v0.37.2 && go mod tidy && ! go run .")
	for _, d := range documents {
		t.Run(d.name, func(t *testing.T) {
			d.follow(t, project, done)
			switch d.name {
			case "README.md":
				unchanged.run(t, "go run .") // the types are ours
			case "docs/guides/replace.md":
				unchanged.run(t, "! go run .") // the way back is done
			}
		})
	}
}

// follow runs the commands of a document, and compiles its code. What is done in a project is not done again: guides
// begin with the commands of README.
func (d document) follow(t *testing.T, project func(string) *user, done map[string]bool) {
	fragments := map[string][]snippets.Block{}
	for _, b := range snippets.Blocks(read(t, filepath.Join(root, d.name))) {
		name, in := fmt.Sprintf("%s:%d", d.name, b.Line), d.project
		if other, ok := d.sections[b.Heading]; ok {
			in = other
		}
		if done[in+"\n"+b.Text] {
			continue
		}
		done[in+"\n"+b.Text] = true
		u := project(in)
		from, _ := b.Source()
		file, part := heading.FindStringSubmatch(b.Text), excerpt.FindStringSubmatch(b.Text)
		switch {
		case b.Lang == "text" || from != "": // a picture; internal/snippets compares it with a file
		case b.Lang == "go" && part != nil:
			if text := read(t, filepath.Join(u.dir, part[1])); !strings.Contains(text, strings.TrimPrefix(b.Text, part[0])) {
				t.Errorf("%s: not part of %s:\n%s", name, part[1], text)
			}
		case b.Lang == "go" && file != nil:
			u.write(t, file[1], strings.TrimPrefix(b.Text, file[0]))
		case b.Lang == "go":
			fragments[in] = append(fragments[in], b)
		case b.Lang == "diff":
			checkDiff(t, name, b.Text)
		case b.Lang == "sh" && strings.HasPrefix(b.Text, clone):
			checkClone(t, name, b.Text, u.targets)
		case b.Lang == "sh":
			u.follow(t, name, b.Text)
		default:
			t.Errorf("%s: a block of %q cannot be followed", name, b.Lang)
		}
	}
	for in, of := range fragments {
		project(in).compile(t, d.name, of)
	}
}

// clone is the first line of a block of commands in a checkout of this repository, which .ci/run and the tests of the
// examples run.
const clone = "git clone https://github.com/listwatch/listwatch\n"

// checkClone checks that the directories, packages and targets exist that the commands in a checkout name.
func checkClone(t *testing.T, name, commands string, targets map[string]bool) {
	t.Helper()
	dir := filepath.Join(root, "..") // of the checkout, whose own directory has another name
	for line := range strings.Lines(strings.TrimPrefix(commands, clone)) {
		words := strings.Fields(line)
		switch words[0] {
		case "make":
			if target := words[len(words)-1]; !targets[target] {
				t.Errorf("%s: the Makefile has no target %s", name, target)
			}
		case "cd":
			dir = filepath.Join(root, strings.TrimPrefix(words[1], "listwatch"))
		case "go":
			if _, err := os.Stat(filepath.Join(dir, words[2])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		default:
			t.Errorf("%s: unknown command %s", name, line)
		}
	}
}

// checkDiff checks that a diff tells what the example of kubebuilder has: the lines that it adds and keeps, and not
// those that it removes.
func checkDiff(t *testing.T, name, text string) {
	t.Helper()
	lines := map[string]bool{}
	for _, pattern := range []string{"*.go", "*/*.go", "*/*/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, "examples", "kubebuilder", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for line := range strings.Lines(read(t, file)) {
				lines[strings.TrimSpace(line)] = true
			}
		}
	}
	for line := range strings.Lines(text) {
		if got := lines[strings.TrimSpace(line[1:])]; got != (line[0] != '-') {
			t.Errorf("%s: in examples/kubebuilder: %v: %s", name, got, line)
		}
	}
}

// follow runs the commands of a block. Those that need a checkout of this repository, a cluster or a registry are not run:
// the files and targets that they name must exist.
func (u *user) follow(t *testing.T, name, commands string) {
	t.Helper()
	var script []string
	for line := range strings.Lines(commands) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "make":
			if target := words[len(words)-1]; !u.targets[target] {
				t.Errorf("%s: the Makefile has no target %s", name, target)
			}
		case words[0] == "docker":
			if _, err := os.Stat(filepath.Join(u.dir, "Dockerfile")); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case words[0] == "kubectl":
			if _, err := os.Stat(filepath.Join(u.dir, words[len(words)-1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		default:
			script = append(script, line)
		}
	}
	t.Logf("%s:\n%s", name, strings.Join(script, ""))
	u.run(t, strings.Join(script, ""))
	if strings.Contains(commands, "--verify") {
		u.vendored(t)
	}
}

// vendored generates with vendor/ and without a proxy or a module cache: nothing must change.
func (u *user) vendored(t *testing.T) {
	t.Helper()
	u.run(t, "go mod vendor")
	alone := []string{"GOFLAGS=-mod=vendor", "GOPROXY=off", "GOMODCACHE=" + t.TempDir()}
	u.run(t, "go generate ./... && go tool gen-all --verify ./apis/...", alone...)
	if err := os.RemoveAll(filepath.Join(u.dir, "vendor")); err != nil {
		t.Fatal(err)
	}
}

// around declares what the fragments of documents assume.
const around = `package fragments

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"example.com/shop/pkg/generated/clientset/versioned"
	"example.com/shop/pkg/generated/informers/externalversions"
	"example.com/shop/pkg/generated/informers/externalversions/internalinterfaces"
	storagev1 "example.com/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/debug"
	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/listers"
	"github.com/listwatch/listwatch/runtime/sharing"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

var (
	_ = apitest.Start
	_ = clientcmd.Load
	_ = debug.Handler
	_ = externalversions.NewSharedInformerFactory
	_ = fmt.Println
	_ = gentype.Protobuf
	_ = http.Handle
	_ = labels.Everything
	_ = listers.All[any]
	_ = sharing.Transform
	_ gentype.Client[*storagev1.Database]
	_ internalinterfaces.InformerOptions
	_ listers.ResourceIndexer[*storagev1.Database]
	_ metav1.Object

	client    versioned.Interface
	ctx       context.Context
	db        *storagev1.Database
	err       error
	factory   externalversions.SharedInformerFactory
	informer  cache.SharedIndexInformer
	namespace string
	queue     workqueue.TypedInterface[cache.ObjectName]
	t         *testing.T
)
`

// compile compiles a document's fragments of Go, in which variables may be unused.
func (u *user) compile(t *testing.T, document string, fragments []snippets.Block) {
	t.Helper()
	text := around
	for _, f := range fragments {
		text += fmt.Sprintf("\nfunc line%d() {\n//line %s:%d\n%s}\n", f.Line, document, f.Line+1, f.Text)
	}
	u.write(t, "fragments/fragments.go", text)
	defer u.run(t, "rm -r fragments") // it is no package of the project
	cmd := u.command("go build -gcflags=-e ./fragments")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err == nil {
		return
	}
	for line := range strings.Lines(said.String()) {
		if !strings.HasPrefix(line, "# ") && !strings.Contains(line, "declared and not used") {
			t.Error(strings.TrimSpace(line))
		}
	}
}

func (u *user) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(u.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (u *user) run(t *testing.T, script string, env ...string) {
	t.Helper()
	cmd := u.command(script)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

func (u *user) command(script string) *exec.Cmd {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = u.dir, u.env
	return cmd
}
