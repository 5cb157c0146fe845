package embedded

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/document"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubejson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// definitions returns those of the options' manifests and objects.
func (o *options) definitions() ([]*apiextensions.CustomResourceDefinition, error) {
	var crds []*apiextensions.CustomResourceDefinition
	for _, path := range o.crdPaths {
		found, err := readPath(path)
		if err != nil {
			return nil, fmt.Errorf("read definitions: %w", err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("read definitions: no CustomResourceDefinition in %s", path)
		}
		crds = append(crds, found...)
	}
	return append(crds, o.crds...), nil
}

// readPath returns the CRDs in a file, in a directory, or in the files that match a pattern.
func readPath(path string) ([]*apiextensions.CustomResourceDefinition, error) {
	files, err := filesAt(path)
	if err != nil {
		return nil, err
	}
	var crds []*apiextensions.CustomResourceDefinition
	for _, file := range files {
		found, err := readFile(file)
		if err != nil {
			return nil, err
		}
		crds = append(crds, found...)
	}
	return crds, nil
}

// filesAt returns a file, the manifests in a directory, or those that match a pattern. An existing name is not a
// pattern.
func filesAt(path string) ([]string, error) {
	if path == "" {
		return nil, errors.New("a path is empty")
	}
	names := []string{path}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		matches, err := filepath.Glob(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if len(matches) == 0 {
			return nil, pathNotFound(path)
		}
		names = slices.DeleteFunc(matches, func(name string) bool { return !isFolder(name) && !isManifest(name) })
	}
	var files []string
	for _, name := range names {
		err := filepath.WalkDir(name, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || file != name && !isManifest(file) {
				return err
			}
			files = append(files, file)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// pathNotFound is the error of a path that does not exist. Tests run in the directory of their package, which is
// easily forgotten, so it contains the absolute path.
func pathNotFound(path string) error {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return fmt.Errorf("%s: no such file, directory or match", path)
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func isManifest(file string) bool {
	switch filepath.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// parsed caches the CRDs in files, by the hash of their content: parsing a large manifest takes longer than
// starting a server, and the tests of a program share manifests.
var parsed sync.Map // [sha256.Size]byte to []*apiextensions.CustomResourceDefinition

// readFile returns the CRDs in a file. Callers share the result.
func readFile(file string) ([]*apiextensions.CustomResourceDefinition, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(content)
	if crds, ok := parsed.Load(hash); ok {
		return crds.([]*apiextensions.CustomResourceDefinition), nil
	}
	crds, err := parse(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	parsed.Store(hash, crds)
	return crds, nil
}

// parse returns the CRDs among documents in YAML or JSON.
func parse(content []byte) (crds []*apiextensions.CustomResourceDefinition, err error) {
	err = eachDocument(content, func(document []byte) error {
		crds, err = appendDefinitions(crds, document)
		return err
	})
	return crds, err
}

// eachDocument calls f with the documents in YAML or JSON, as JSON, except those that contain only comments. Errors
// say which document they are about.
func eachDocument(content []byte, f func(document []byte) error) error {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(content), 4096)
	for n := 1; ; n++ {
		var document json.RawMessage
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && len(document) > 0 {
			err = f(document)
		}
		if err != nil {
			return fmt.Errorf("document %d: %w", n, err)
		}
	}
}

// appendDefinitions appends the CRD in a document, or the CRDs in it if it is a list.
func appendDefinitions(crds []*apiextensions.CustomResourceDefinition, text []byte) ([]*apiextensions.CustomResourceDefinition, error) {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, err
	}
	if items, isList, err := document.Items(text); err != nil || isList {
		for i := 0; i < len(items) && err == nil; i++ {
			crds, err = appendDefinitions(crds, items[i])
		}
		return crds, err
	}
	if gvk := kind.GroupVersionKind(); gvk.GroupKind() == definitionKind {
		if gvk.Version != "v1" {
			return nil, fmt.Errorf("a CustomResourceDefinition of %s: only %s is served", kind.APIVersion, apiextensions.SchemeGroupVersion)
		}
		crd := &apiextensions.CustomResourceDefinition{}
		if err := decodeStrictly(text, crd); err != nil {
			return nil, err
		}
		crds = append(crds, crd)
	}
	return crds, nil
}

// strict decodes CRDs, and reports unknown fields. A server that receives a schema with a typo drops the
// unknown field, and validates less than intended.
var strict = kubejson.NewSerializerWithOptions(kubejson.DefaultMetaFactory, apiserver.Scheme, apiserver.Scheme, kubejson.SerializerOptions{Strict: true})

func decodeStrictly(document []byte, crd *apiextensions.CustomResourceDefinition) error {
	_, _, err := strict.Decode(document, nil, crd)
	faults, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		return err
	}
	return fmt.Errorf("CustomResourceDefinition %q: %w", crd.Name, errors.Join(faults.Errors()...))
}
