// Command documents starts the real API server with all of its versions, and writes what it says about its own
// kinds to a directory, from which apitest's facts are recorded: the OpenAPI documents of all versions, and the
// columns of all resources.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/runtime/rest"
)

func main() {
	out := flag.String("out", filepath.Join(".work", "documents"), "directory to write to")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out string) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	server, err := kube.StartShared(ctx, "--runtime-config=api/all=true")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	r := &reader{ctx: ctx, config: server.Config()}
	if r.client, err = rest.HTTPClientFor(r.config); err != nil {
		return err
	}
	if err = os.MkdirAll(filepath.Join(out, "v3"), 0o755); err != nil {
		return err
	}
	if err = r.openAPI(filepath.Join(out, "v3")); err != nil {
		return err
	}
	columns, err := r.columns()
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(columns, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "columns.json"), data, 0o644)
}

// reader reads from a server.
type reader struct {
	ctx    context.Context
	config *rest.Config
	client *http.Client
}

func (r *reader) get(path, accept string) ([]byte, error) {
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, r.config.Host+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", accept)
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, resp.Status, data)
	}
	return data, err
}

// openAPI writes the documents of all versions, in files named like those in Kubernetes' repository.
func (r *reader) openAPI(dir string) error {
	var list struct{ Paths map[string]any }
	data, err := r.get("/openapi/v3", "application/json")
	if err != nil {
		return err
	}
	if err = json.Unmarshal(data, &list); err != nil {
		return err
	}
	for name := range list.Paths {
		if !strings.HasPrefix(name, "api") {
			continue
		}
		if data, err = r.get("/openapi/v3/"+name, "application/json"); err != nil {
			return err
		}
		file := strings.ReplaceAll(name, "/", "__") + "_openapi.json"
		if err = os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// columns returns the column definitions of all resources that can be listed, by group/version/resource.
func (r *reader) columns() (map[string]json.RawMessage, error) {
	const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	columns := map[string]json.RawMessage{}
	for _, root := range []string{"/api", "/apis"} {
		data, err := r.get(root, aggregated)
		if err != nil {
			return nil, err
		}
		var groups struct {
			Items []struct {
				Metadata struct{ Name string }
				Versions []struct {
					Version   string
					Resources []struct {
						Resource string
						Verbs    []string
					}
				}
			}
		}
		if err = json.Unmarshal(data, &groups); err != nil {
			return nil, err
		}
		for _, g := range groups.Items {
			for _, v := range g.Versions {
				for _, resource := range v.Resources {
					if !strings.Contains(strings.Join(resource.Verbs, " "), "list") {
						continue
					}
					path := strings.Join([]string{root, g.Metadata.Name, v.Version, resource.Resource}, "/")
					data, err := r.get(strings.ReplaceAll(path, "//", "/"), "application/json;as=Table;g=meta.k8s.io;v=v1")
					if err != nil {
						return nil, err
					}
					var table struct{ ColumnDefinitions json.RawMessage }
					if err = json.Unmarshal(data, &table); err != nil {
						return nil, err
					}
					columns[g.Metadata.Name+"/"+v.Version+"/"+resource.Resource] = table.ColumnDefinitions
				}
			}
		}
	}
	return columns, nil
}
