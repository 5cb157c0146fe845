// Command record records what package facts knows about Kubernetes' own kinds: from the discovery documents and
// OpenAPI models in a release of Kubernetes, and from the models and columns of a running server, which
// conformance/internal/kube/documents writes to a directory. Models of a server also list the possible values of
// fields; those of versions that it does not serve are the release's.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "data", "directory to write to")
	module := flag.String("module", "", "module of Kubernetes, with its version")
	server := flag.String("server", "", "directory with the documents of a running server")
	flag.Parse()
	if err := record(*module, *server, *out); err != nil {
		log.Fatal(err)
	}
}

func record(module, server, out string) error {
	dir, err := folder(module)
	if err != nil {
		return err
	}
	if err = os.RemoveAll(out); err != nil {
		return err
	}
	for _, sub := range []string{"resources", "types", "models"} {
		if err = os.MkdirAll(filepath.Join(out, sub), 0o755); err != nil {
			return err
		}
	}
	groups, err := groups(filepath.Join(dir, "api", "discovery"))
	if err != nil {
		return err
	}
	index := facts.Index{Packages: map[string]string{}}
	models := models{types: map[string]facts.Type{}, kinds: map[string]string{}, schemas: map[string]map[string]json.RawMessage{}}
	for _, g := range groups {
		index.Groups = append(index.Groups, g.name)
		if err := write(filepath.Join(out, "resources", facts.FileOf(g.name)+".json"), g.versions); err != nil {
			return err
		}
		for _, v := range g.versions {
			if err := models.read(filepath.Join(dir, "api", "openapi-spec", "v3"), g.name, v.Version); err != nil {
				return err
			}
		}
	}
	for name, types := range models.packages() {
		if err := write(filepath.Join(out, "types", name+".json"), types); err != nil {
			return err
		}
		for kind := range types.Kinds {
			gv := kind[:strings.LastIndexByte(kind, '/')]
			index.Packages[gv] = name
		}
	}
	if err := roles(dir, out); err != nil {
		return err
	}
	if err := models.keepServer(filepath.Join(server, "v3")); err != nil {
		return err
	}
	for name, schemas := range models.schemas {
		if err := pack(filepath.Join(out, "models", name+".json.gz"), schemas); err != nil {
			return err
		}
	}
	var columns map[string][]metav1.TableColumnDefinition
	if err := read(filepath.Join(server, "columns.json"), &columns); err != nil {
		return err
	}
	if err := pack(filepath.Join(out, "columns.json.gz"), columns); err != nil {
		return err
	}
	return write(filepath.Join(out, "index.json"), index)
}

// folder returns the directory with the module's files, which it downloads if necessary.
func folder(module string) (string, error) {
	scratch, err := os.MkdirTemp("", "record")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if err = os.WriteFile(filepath.Join(scratch, "go.mod"), []byte("module scratch\n"), 0o644); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = scratch
	cmd.Stderr = os.Stderr
	data, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", module, err)
	}
	var answer struct{ Dir string }
	if err := json.Unmarshal(data, &answer); err != nil {
		return "", fmt.Errorf("fetch %s: %w", module, err)
	}
	if answer.Dir == "" {
		return "", fmt.Errorf("fetch %s: no directory", module)
	}
	return answer.Dir, nil
}

type group struct {
	name     string
	versions []apidiscovery.APIVersionDiscovery
}

// groups returns all groups in the order of their priority, the core group first.
func groups(dir string) ([]group, error) {
	var core metav1.APIResourceList
	if err := read(filepath.Join(dir, "api__v1.json"), &core); err != nil {
		return nil, err
	}
	out := []group{{versions: []apidiscovery.APIVersionDiscovery{{Version: "v1", Resources: aggregate(core)}}}}
	var list apidiscovery.APIGroupDiscoveryList
	if err := read(filepath.Join(dir, "aggregated_v2.json"), &list); err != nil {
		return nil, err
	}
	for _, item := range list.Items {
		for i := range item.Versions {
			item.Versions[i].Freshness = ""
		}
		out = append(out, group{item.Name, item.Versions})
	}
	return out, nil
}

// aggregate converts the legacy description of a version to the form of aggregated discovery.
func aggregate(list metav1.APIResourceList) []apidiscovery.APIResourceDiscovery {
	var out []apidiscovery.APIResourceDiscovery
	at := map[string]int{}
	for _, r := range list.APIResources {
		kind := &metav1.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
		parent, sub, isSub := strings.Cut(r.Name, "/")
		i, ok := at[parent]
		if !ok {
			i = len(out)
			at[parent] = i
			out = append(out, apidiscovery.APIResourceDiscovery{Resource: parent, Scope: apidiscovery.ScopeCluster})
			if r.Namespaced {
				out[i].Scope = apidiscovery.ScopeNamespace
			}
		}
		if isSub {
			out[i].Subresources = append(out[i].Subresources, apidiscovery.APISubresourceDiscovery{
				Subresource: sub, ResponseKind: kind, Verbs: r.Verbs,
			})
			continue
		}
		out[i].ResponseKind = kind
		out[i].SingularResource = r.SingularName
		out[i].ShortNames = r.ShortNames
		out[i].Categories = r.Categories
		out[i].Verbs = r.Verbs
	}
	return out
}

func read(name string, into any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// write writes a value as JSON, with a line for each element of its lists of types and resources.
func write(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	for _, open := range []string{`{"name":"io.`, `{"resource":"`, `{"kind":"`} {
		data = bytes.ReplaceAll(data, []byte(open), []byte("\n"+open))
	}
	return os.WriteFile(name, append(data, '\n'), 0o644)
}

func pack(name string, value any) error {
	packed, err := facts.Pack(value)
	if err != nil {
		return err
	}
	return os.WriteFile(name, packed, 0o644)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
