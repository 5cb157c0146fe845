// Controllertools runs controller-tools' generators of CustomResourceDefinitions, roles, configurations of webhooks and deepcopy
// functions, and its parser of markers. Standard input contains requests, one JSON object a line; standard output gets one
// response for each.
//
// Packages are loaded once for all runs of a request, which is most of the time of a run.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/webhook"
)

// request is either a directory with runs, or markers.
type request struct {
	// Dir is the working directory, Roots are patterns of packages, and Runs the runs of the
	// generator.
	Dir   string
	Roots []string
	Runs  []job
	// Markers are parsed.
	Markers []marker
}

// job is a run of the generator, on the packages whose import paths are Package or start with it
// and a slash; if it is empty, on all packages. The generator is the one that is set, or that of CustomResourceDefinitions.
type job struct {
	Package string
	Options crd.Generator
	RBAC    *rbac.Generator
	Webhook *webhook.Generator
	Object  *deepcopy.Generator
}

func (j job) generator() genall.Generator {
	switch {
	case j.RBAC != nil:
		return *j.RBAC
	case j.Webhook != nil:
		return *j.Webhook
	case j.Object != nil:
		return *j.Object
	}
	return j.Options
}

// marker is the text of a marker, from the plus sign on, and what it is attached to: a package, a
// type or a field.
type marker struct{ On, Text string }

type response struct {
	// Runs are the results of the runs: files by their names, and errors.
	Runs []result `json:",omitempty"`
	// Markers are the results of the markers.
	Markers []parsed `json:",omitempty"`
	// Error is the reason why the packages were not loaded.
	Error string `json:",omitempty"`
}

type result struct {
	Files  map[string]string
	Errors []string
}

type parsed struct {
	// Name is the marker's name without what belongs to its value; it is empty if the marker is
	// unknown.
	Name string
	// Value is the value in JSON, and Error the reason why it is invalid.
	Value json.RawMessage `json:",omitempty"`
	Error string          `json:",omitempty"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(w)
	for {
		var req request
		if err := decoder.Decode(&req); errors.Is(err, io.EOF) {
			return w.Flush()
		} else if err != nil {
			return err
		}
		if err := encoder.Encode(respond(req)); err != nil {
			return err
		}
	}
}

func respond(req request) response {
	parses, err := parse(req.Markers)
	if err != nil {
		return response{Error: err.Error()}
	}
	runs, err := generate(req)
	if err != nil {
		return response{Error: err.Error()}
	}
	return response{Runs: runs, Markers: parses}
}

// generate runs the generator. It changes the working directory.
func generate(req request) ([]result, error) {
	if len(req.Runs) == 0 {
		return nil, nil
	}
	if err := os.Chdir(req.Dir); err != nil {
		return nil, err
	}
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: req.Dir}, req.Roots...)
	if err != nil {
		return nil, err
	}
	var runs []result
	for _, j := range req.Runs {
		g := j.generator()
		chosen := roots
		if j.Package != "" {
			chosen = slices.DeleteFunc(slices.Clone(roots), func(p *loader.Package) bool {
				return p.PkgPath != j.Package && !strings.HasPrefix(p.PkgPath, j.Package+"/")
			})
		}
		// Errors stay with the packages; only new ones are this run's.
		known := reported(chosen)
		registry := &markers.Registry{}
		if err = g.RegisterMarkers(registry); err != nil {
			return nil, err
		}
		out := &memory{files: map[string]*text{}}
		err = run(g, &genall.GenerationContext{
			Collector:  &markers.Collector{Registry: registry},
			Roots:      chosen,
			Checker:    &loader.TypeChecker{NodeFilters: []loader.NodeFilter{j.Options.CheckFilter()}},
			OutputRule: out,
			InputRule:  genall.InputFromFileSystem,
		})
		r := result{Files: map[string]string{}, Errors: reported(chosen)}
		for name, t := range out.files {
			r.Files[name] = string(t.content)
		}
		for _, e := range known {
			if i := slices.Index(r.Errors, e); i >= 0 {
				r.Errors = slices.Delete(r.Errors, i, i+1)
			}
		}
		if err != nil {
			r.Errors = append(r.Errors, err.Error())
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// run runs a generator. That it panics is an error.
func run(g genall.Generator, ctx *genall.GenerationContext) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return g.Generate(ctx)
}

// reported returns the errors of packages that make controller-gen fail.
func reported(roots []*loader.Package) []string {
	var errs []string
	seen := map[*loader.Package]bool{}
	var visit func(p *loader.Package)
	visit = func(p *loader.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, e := range p.Errors {
			if e.Kind != packages.TypeError {
				errs = append(errs, e.Error())
			}
		}
		for _, i := range p.Imports() {
			visit(i)
		}
	}
	for _, p := range roots {
		visit(p)
	}
	return errs
}

// memory is an output rule that keeps the files.
type memory struct{ files map[string]*text }

func (m *memory) Open(p *loader.Package, name string) (io.WriteCloser, error) {
	if p != nil { // a file beside the package's
		name = path.Join(p.PkgPath, name)
	}
	t := &text{}
	m.files[filepath.ToSlash(name)] = t
	return t, nil
}

type text struct{ content []byte }

func (t *text) Write(p []byte) (int, error) {
	t.content = append(t.content, p...)
	return len(p), nil
}

func (t *text) Close() error { return nil }

var targets = map[string]markers.TargetType{
	"package": markers.DescribesPackage, "type": markers.DescribesType, "field": markers.DescribesField,
}

func parse(texts []marker) ([]parsed, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	registry := &markers.Registry{}
	if err := errors.Join(crdmarkers.Register(registry), rbac.Generator{}.RegisterMarkers(registry), webhook.Generator{}.RegisterMarkers(registry)); err != nil {
		return nil, err
	}
	results := make([]parsed, len(texts))
	for i, m := range texts {
		definition := registry.Lookup(m.Text, targets[m.On])
		if definition == nil {
			continue
		}
		results[i].Name = definition.Name
		value, err := definition.Parse(m.Text)
		if err == nil {
			results[i].Value, err = json.Marshal(value)
		}
		if err != nil {
			results[i].Error = err.Error()
		}
	}
	return results, nil
}
