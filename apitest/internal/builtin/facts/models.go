package facts

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// ModelPrefix precedes the name of a model in references to it.
const ModelPrefix = "#/components/schemas/"

// ModelOf returns the name of a kind's model, or "" if the kind is unknown. Its list has the same
// name with the suffix List.
func ModelOf(group, version, kind string) (string, error) {
	pkg, ok := packages()[group+"/"+version]
	if !ok {
		return "", nil
	}
	memory.mu.Lock()
	defer memory.mu.Unlock()
	types, err := readTypes(pkg)
	if err != nil {
		return "", err
	}
	return types.Kinds[group+"/"+version+"/"+kind], nil
}

// Models returns the OpenAPI v3 schemas of models, and of all models that they refer to. Names that
// are unknown have none. The models are read at each call, and the caller owns them.
func Models(names ...string) (map[string]*spec.Schema, error) {
	out := map[string]*spec.Schema{}
	read := map[string]map[string]json.RawMessage{}
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		if out[name] != nil {
			continue
		}
		pkg := PackageOf(name)
		if read[pkg] == nil {
			models, err := readModels(pkg)
			if err != nil {
				return nil, err
			}
			read[pkg] = models
		}
		data, ok := read[pkg][name]
		if !ok {
			continue
		}
		model := &spec.Schema{}
		if err := json.Unmarshal(data, model); err != nil {
			return nil, fmt.Errorf("read the model %s: %w", name, err)
		}
		out[name] = model
		names = append(names, References(data)...)
	}
	return out, nil
}

// References returns the names of the models that a document refers to.
func References(document []byte) (names []string) {
	parts := strings.Split(string(document), `"`+ModelPrefix)
	for _, part := range parts[1:] {
		name, _, _ := strings.Cut(part, `"`)
		names = append(names, name)
	}
	return names
}

// readModels returns the models of a package, and none if it has no file.
func readModels(pkg string) (map[string]json.RawMessage, error) {
	models := map[string]json.RawMessage{}
	packed, err := files.ReadFile("data/models/" + pkg + ".json.gz")
	if err != nil {
		return models, nil // not one of Kubernetes' packages
	}
	if err := Unpack(packed, &models); err != nil {
		return nil, fmt.Errorf("read the models of %s: %w", pkg, err)
	}
	return models, nil
}

// Columns returns the columns of a resource's tables, or nil if they are not recorded. The result is
// shared: it must not be modified.
func Columns(group, version, resource string) []metav1.TableColumnDefinition {
	return columns()[group+"/"+version+"/"+resource]
}

var columns = sync.OnceValue(func() map[string][]metav1.TableColumnDefinition {
	var out map[string][]metav1.TableColumnDefinition
	// Columns that cannot be read are missing; a test reads them.
	if packed, err := files.ReadFile("data/columns.json.gz"); err != nil || Unpack(packed, &out) != nil {
		return nil
	}
	return out
})

// Pack returns a value as JSON, compressed. Equal values have equal results.
func Pack(value any) ([]byte, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err = w.Write(data); err != nil {
		return nil, err
	}
	if err = w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Unpack is the inverse of [Pack].
func Unpack(packed []byte, into any) error {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}
