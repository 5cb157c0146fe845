package kubectl

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"

	"github.com/listwatch/listwatch/runtime/rest"
)

// cluster is a server, as kubectl sees it.
type cluster struct {
	config *rest.Config
	dir    string // for caches
}

// session is a directory and a namespace in which a case's commands run.
type session struct {
	cluster    *cluster
	namespace  string
	dir        string
	background []*process
}

// kubeconfig returns the name of the file with the configuration of a session.
func (s *session) kubeconfig() string { return filepath.Join(s.dir, "kubeconfig") }

// writeKubeconfig writes the configuration of a session to its directory.
func (s *session) writeKubeconfig() error {
	c := s.cluster.config
	ca := filepath.Join(s.dir, "ca.crt")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: test
contexts:
- name: test
  context: {cluster: test, user: admin, namespace: %s}
clusters:
- name: test
  cluster: {server: %s, certificate-authority: ca.crt}
users:
- name: admin
  user: {token: %s}
`, s.namespace, c.Host, c.BearerToken)
	return errors.Join(os.WriteFile(ca, c.CAData, 0o600), os.WriteFile(s.kubeconfig(), []byte(text), 0o600))
}

// A process is a command in progress.
type process struct {
	output buffer
	done   chan struct{}
}

// buffer is what a command prints on both of its outputs. It is safe for concurrent use.
type buffer struct {
	mu      sync.Mutex // guards text
	text    bytes.Buffer
	written chan struct{} // receives after the first write
}

// Write implements io.Writer.
func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.written <- struct{}{}:
	default:
	}
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// exit is the panic with which a command ends that fails.
type exit struct {
	message string
	code    int
}

func init() {
	cmdutil.BehaviorOnFatal(func(message string, code int) { panic(exit{message, code}) })
}

// start runs kubectl with arguments in the background. Arguments that are names of files in the session's
// directory are replaced by their paths; the text after "<" is the name of the file that is read as input.
func (s *session) start(arguments []string, input []byte) *process {
	kubeconfig := s.kubeconfig()
	flags := genericclioptions.NewConfigFlags(true).WithDiscoveryBurst(300).WithDiscoveryQPS(50)
	cache := s.cluster.dir
	flags.KubeConfig, flags.CacheDir = &kubeconfig, &cache
	p := &process{done: make(chan struct{}), output: buffer{written: make(chan struct{}, 1)}}
	streams := genericiooptions.IOStreams{In: bytes.NewReader(input), Out: &p.output, ErrOut: &p.output}
	command := cmd.NewKubectlCommand(cmd.KubectlOptions{
		Arguments: append([]string{"kubectl"}, arguments...), IOStreams: streams, ConfigFlags: flags.WithWarningPrinter(streams),
	})
	command.SetArgs(arguments)
	command.SetOut(&p.output)
	command.SetErr(&p.output)
	go func() {
		defer close(p.done)
		defer func() {
			switch failure := recover().(type) {
			case nil:
			case exit:
				if failure.message != "" {
					fmt.Fprintln(&p.output, strings.TrimSuffix(failure.message, "\n"))
				}
				fmt.Fprintf(&p.output, "[%d]\n", failure.code)
			default:
				panic(failure)
			}
		}()
		if err := command.Execute(); err != nil {
			fmt.Fprintf(&p.output, "%v\n[1]\n", err)
		}
	}()
	return p
}

// run runs a line of a script, and returns what it prints.
func (s *session) run(line string) (string, error) {
	if line == "join" {
		if len(s.background) == 0 {
			return "", errors.New("no command runs in the background")
		}
		p := s.background[0]
		s.background = s.background[1:]
		<-p.done
		return s.normal(p.output.String()), nil
	}
	mark, rest, _ := strings.Cut(line, " ")
	arguments, input, err := s.arguments(rest)
	if err != nil {
		return "", err
	}
	p := s.start(arguments, input)
	if mark == "&" {
		select {
		case <-p.output.written:
		case <-p.done:
		}
		s.background = append(s.background, p)
		return "", nil
	}
	<-p.done
	return s.normal(p.output.String()), nil
}

var word = regexp.MustCompile(`'[^']*'|\S+`)

// arguments splits a line into arguments, and reads the input.
func (s *session) arguments(line string) (arguments []string, input []byte, err error) {
	words := word.FindAllString(line, -1)
	for i := 0; i < len(words); i++ {
		arg := strings.ReplaceAll(strings.Trim(words[i], "'"), "${ns}", s.namespace)
		if arg == "<" && i+1 < len(words) {
			if input, err = os.ReadFile(filepath.Join(s.dir, words[i+1])); err != nil {
				return nil, nil, err
			}
			i++
			continue
		}
		for _, prefix := range []string{"", "--from-file="} {
			if name, ok := strings.CutPrefix(arg, prefix); ok && name != "" && filepath.IsLocal(name) {
				if _, err := os.Stat(filepath.Join(s.dir, name)); err == nil {
					arg = prefix + filepath.Join(s.dir, name)
				}
			}
		}
		arguments = append(arguments, arg)
	}
	return arguments, input, nil
}

// forms are texts that depend on the run, and what replaces them.
var forms = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`(?m)^[ \t]*Warning: apitest .*\n`), ""}, // which the real server cannot say
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "<uid>"},
	{regexp.MustCompile(`/\S*/(LIVE|MERGED)-\d+`), "$1"},
	{regexp.MustCompile(`/\S*/kubectl-edit-\d+\.yaml`), "<file>"},
	{regexp.MustCompile(`(?m)^((?:---|\+\+\+) \S+)\t.*$`), "$1"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "<time>"},
	{regexp.MustCompile(`\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}`), "<time>"},
	{regexp.MustCompile(`(resourceVersion"?: )"\d+"`), `$1"<version>"`},
	{regexp.MustCompile(`(?m)(^|\s)(?:\d+m)?\d+s(\s|$)`), "$1<age>$2"},
	{regexp.MustCompile(`\b10\.0\.\d+\.\d+\b`), "<ip>"},
	{regexp.MustCompile(`(\S) {2,}`), "$1  "},
	{regexp.MustCompile(`(?m)[ \t]+$`), ""},
}

// normal replaces what depends on the run.
func (s *session) normal(text string) string {
	text = strings.NewReplacer(
		s.dir+string(filepath.Separator), "", s.dir, ".",
		s.namespace, "${ns}", s.cluster.config.Host, "<server>", strings.TrimPrefix(s.cluster.config.Host, "https://"), "<server>",
	).Replace(text)
	for _, form := range forms {
		text = form.pattern.ReplaceAllString(text, form.with)
	}
	return strings.TrimRight(text, "\n")
}
