package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/util/yaml"
)

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// definition contains the relevant fields of a CRD.
type definition struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Status struct {
		Conditions []struct {
			Type   string `json:"type"`
			Status string `json:"status"`
		} `json:"conditions"`
	} `json:"status"`
}

func (d definition) established() bool {
	for _, c := range d.Status.Conditions {
		if c.Type == "Established" && c.Status == "True" {
			return true
		}
	}
	return false
}

// Define creates the CRDs in YAML files, and returns when their resources are served.
func (s *Server) Define(ctx context.Context, files ...string) error {
	for _, file := range files {
		manifests, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifests), len(manifests))
		for {
			var document json.RawMessage
			err := documents.Decode(&document)
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				err = s.define(ctx, document)
			}
			if err != nil {
				return fmt.Errorf("create the CRDs in %s: %w", file, err)
			}
		}
	}
	return nil
}

// define polls the created CRD until it is established.
func (s *Server) define(ctx context.Context, document []byte) error {
	d, err := s.definition(ctx, http.MethodPost, definitions, document)
	tick := time.NewTicker(readyPeriod)
	defer tick.Stop()
	for err == nil && !d.established() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", d.Metadata.Name, context.Cause(ctx))
		case <-tick.C:
		}
		d, err = s.definition(ctx, http.MethodGet, definitions+"/"+d.Metadata.Name, nil)
	}
	return err
}

func (s *Server) definition(ctx context.Context, method, path string, body []byte) (d definition, err error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url()+path, bytes.NewReader(body))
	if err != nil {
		return d, err
	}
	req.Header.Set("Authorization", "Bearer "+s.credentials.adminToken)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return d, err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return d, err
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return d, fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
	}
	return d, json.Unmarshal(answer, &d)
}
