package requests

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// Input is a set of API packages.
type Input struct {
	// Name is also the name of the directory in the scratch module.
	Name string
	// Job lacks only the working directory and the output of the tools; nil for trees that are not
	// generated, but exist: client-go's own, and the module kubernetes.
	Job func(testcase.Flavour) peers.Job
	// Versions are the methods of the clientset whose clients are driven; nil for all.
	Versions []string
}

// Builtin is the built-in API as released: client-go's kubernetes and informers beside our module.
func Builtin() Input {
	return Input{Name: "builtin", Versions: []string{
		"AppsV1", "AutoscalingV2", "BatchV1", "CertificatesV1", "CoordinationV1", "CoreV1", "DiscoveryV1", "EventsV1",
		"NetworkingV1", "PolicyV1", "RbacV1", "StorageV1",
	}}
}

// fits reports whether the input has a tree in a flavour.
func (in Input) fits(f Flavour) bool { return in.Job != nil || f.Name == testcase.Listwatch }

// Kubernetes is a selection of the built-in API: namespaced and cluster-scoped kinds, the group
// without a name, several versions of a group, kinds with few verbs, and all markers for methods in
// k8s.io/api. The apply configurations are client-go's in every flavour: they are only types.
func Kubernetes() Input {
	const api, configurations = "k8s.io/api/", "k8s.io/client-go/applyconfigurations"
	var packages []string
	for _, version := range []string{
		"apps/v1", "apps/v1beta2", "authentication/v1", "authorization/v1", "autoscaling/v1",
		"certificates/v1", "core/v1", "extensions/v1beta1", "policy/v1", "rbac/v1",
	} {
		packages = append(packages, api+version)
	}
	job := peers.Job{
		Packages:            packages,
		ApplyConfigurations: configurations,
		PluralExceptions:    []string{"Endpoints:Endpoints"},
		PrefersProtobuf:     true,
	}
	return Input{Name: "kubernetes", Job: func(testcase.Flavour) peers.Job { return job }}
}

// chosen are the cases in which clients behave differently. The others are about how types are read
// and named.
var chosen = []string{
	"api-path", "apply", "cluster-scoped", "core-group", "methods", "methods-elsewhere",
	"plurals", "verbs", "verbs-unlisted",
}

// Cases returns cases of testdata/apis, the chosen ones or all. It omits those that the two sides
// generate differently, intentionally or because they have different flags.
func Cases(all bool) ([]Input, error) {
	root, err := peers.Root()
	if err != nil {
		return nil, err
	}
	cases, err := testcase.All(root)
	if err != nil {
		return nil, err
	}
	var inputs []Input
	for _, c := range cases {
		if !alike(c) || !all && !slices.Contains(chosen, c.Name) {
			continue
		}
		packages, err := versionsOf(c)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, Input{Name: c.Name, Job: func(f testcase.Flavour) peers.Job {
			return peers.Job{
				Packages:  packages,
				Clientset: c.Flags(testcase.Clientset, f),
				Lister:    c.Flags(testcase.Lister, f),
				Informer:  c.Flags(testcase.Informer, f),
			}
		}})
	}
	return inputs, nil
}

func alike(c testcase.Case) bool {
	for _, tool := range []testcase.Tool{testcase.Clientset, testcase.Lister, testcase.Informer} {
		if !slices.Equal(c.Flags(tool, testcase.ClientGo), c.UpstreamFlags(tool)) {
			return false
		}
	}
	return c.Rejected == "" && c.Differs == ""
}

var apiVersion = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// versionsOf returns the import paths of those packages of a case that have clients and are
// external versions.
func versionsOf(c testcase.Case) ([]string, error) {
	var packages []string
	err := filepath.WalkDir(c.Dir, func(file string, entry fs.DirEntry, err error) error {
		dir := filepath.Dir(file)
		if err != nil || filepath.Ext(file) != ".go" || !apiVersion.MatchString(filepath.Base(dir)) {
			return err
		}
		source, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(source, []byte("+genclient")) {
			return err
		}
		folder, err := filepath.Rel(c.Dir, dir)
		if pkg := path.Join(c.Pkg(), filepath.ToSlash(folder)); !slices.Contains(packages, pkg) {
			packages = append(packages, pkg)
		}
		return err
	})
	return packages, err
}
