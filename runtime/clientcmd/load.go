package clientcmd

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/clientcmd/api/latest"
)

// Load decodes a kubeconfig in YAML or JSON. No data is an empty config.
func Load(data []byte) (*api.Config, error) {
	config := api.NewConfig()
	if len(data) == 0 {
		return config, nil
	}
	defaults := latest.ExternalVersion.WithKind("Config")
	decoded, _, err := latest.Codec.Decode(data, &defaults, config)
	if err != nil {
		return nil, explain(data, err)
	}
	config, ok := decoded.(*api.Config)
	if !ok {
		return nil, fmt.Errorf("decoded %T, want a kubeconfig", decoded)
	}
	return config, nil
}

// LoadFromFile decodes the kubeconfig in a file and sets LocationOfOrigin of its entries to filename. It does not
// resolve paths.
func LoadFromFile(filename string) (*api.Config, error) {
	data, err := os.ReadFile(filename)
	if err != nil {
		return nil, err
	}
	config, err := Load(data)
	if err != nil {
		return nil, &fileError{filename, err}
	}
	klog.V(6).InfoS("Config loaded from file", "file", filename)
	for _, user := range config.AuthInfos {
		user.LocationOfOrigin = filename
	}
	for _, cluster := range config.Clusters {
		cluster.LocationOfOrigin = filename
	}
	for _, context := range config.Contexts {
		context.LocationOfOrigin = filename
	}
	return config, nil
}

// fileError is an error in a file.
type fileError struct {
	file string
	err  error
}

func inFile(file string, err error) error {
	var named *fileError
	if errors.As(err, &named) {
		return err
	}
	return &fileError{file, err}
}

func (e *fileError) Error() string {
	return fmt.Sprintf("error loading config file %q: %v", e.file, e.err)
}

func (e *fileError) Unwrap() error { return e.err }

// explain returns the reason why data could not be decoded. The decoders' errors quote the data, which may be
// secret, so it returns err only if data has the structure of a kubeconfig.
func explain(data []byte, err error) error {
	text, yamlErr := yaml.YAMLToJSON(data)
	if yamlErr != nil {
		return explainYAML(yamlErr)
	}
	// The fields of v1.Config in which a decoder of JSON can fail, with data as text.
	var file struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
		Clusters   []struct {
			Name    string `json:"name"`
			Cluster struct {
				CertificateAuthorityData string `json:"certificate-authority-data"`
			} `json:"cluster"`
		} `json:"clusters"`
		Users []struct {
			Name string `json:"name"`
			User struct {
				ClientCertificateData string `json:"client-certificate-data"`
				ClientKeyData         string `json:"client-key-data"`
			} `json:"user"`
		} `json:"users"`
	}
	if jsonErr := kjson.UnmarshalCaseSensitivePreserveInts(text, &file); jsonErr != nil {
		return explainJSON(jsonErr)
	}
	for _, c := range file.Clusters {
		if !isBase64(c.Cluster.CertificateAuthorityData) {
			return fmt.Errorf("certificate-authority-data of cluster %q is not valid base64", c.Name)
		}
	}
	for _, u := range file.Users {
		if !isBase64(u.User.ClientCertificateData) {
			return fmt.Errorf("client-certificate-data of user %q is not valid base64", u.Name)
		}
		if !isBase64(u.User.ClientKeyData) {
			return fmt.Errorf("client-key-data of user %q is not valid base64", u.Name)
		}
	}
	var typeErr *json.UnmarshalTypeError
	if errors.As(err, &typeErr) {
		return explainJSON(err)
	}
	if runtime.IsNotRegisteredError(err) {
		return fmt.Errorf("not a kubeconfig: kind is %q and apiVersion is %q, want \"Config\" and \"v1\"", file.Kind, file.APIVersion)
	}
	return err
}

func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}

var yamlLine = regexp.MustCompile(`\bline (\d+)\b`)

// explainYAML returns the line of an error of the YAML parser, and its text as far as that quotes nothing.
func explainYAML(err error) error {
	text := err.Error()
	where := "invalid YAML"
	if line := yamlLine.FindStringSubmatchIndex(text); line != nil {
		where = "invalid YAML in line " + text[line[2]:line[3]]
		text = strings.TrimLeft(text[line[1]:], ": ")
	} else {
		text = text[strings.LastIndex(text, "yaml: ")+len("yaml: "):]
	}
	for _, reason := range yamlReasons {
		if strings.HasPrefix(text, reason) {
			return fmt.Errorf("%s: %s", where, reason)
		}
	}
	return errors.New(where)
}

// yamlReasons are the frequent errors of the YAML parser that quote nothing.
var yamlReasons = []string{
	"mapping values are not allowed in this context",
	"did not find expected key",
	"did not find expected '-' indicator",
	"did not find expected ',' or ']'",
	"did not find expected ',' or '}'",
	"did not find expected node content",
	"could not find expected ':'",
	"found character that cannot start any token",
	"found a tab character that violates indentation",
	"found unexpected end of stream",
	"found undefined tag handle",
	"block sequence entries are not allowed in this context",
	"control characters are not allowed",
	"invalid leading UTF-8 octet",
	"invalid Unicode character",
}

// explainJSON returns the field of an error of the JSON decoder.
func explainJSON(err error) error {
	var typeErr *json.UnmarshalTypeError
	if !errors.As(err, &typeErr) {
		return errors.New("invalid kubeconfig")
	}
	got, _, _ := strings.Cut(typeErr.Value, " ") // what follows is the value
	if typeErr.Field == "" {
		return fmt.Errorf("invalid kubeconfig: got %s, want object", got)
	}
	return fmt.Errorf("invalid kubeconfig: field %s is %s, want %s", typeErr.Field, got, jsonType(typeErr.Type))
}

// jsonType returns the name that JSON has for values of a type.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "array"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "object"
	default:
		return t.Kind().String()
	}
}
