package exec

import (
	"errors"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/clientauthentication"
	"github.com/listwatch/listwatch/runtime/clientauthentication/install"
	"github.com/listwatch/listwatch/runtime/rest"
)

// execInfoEnv is the environment variable in which a program receives its ExecCredential.
const execInfoEnv = "KUBERNETES_EXEC_INFO"

// LoadExecCredentialFromEnv is LoadExecCredential of the environment variable KUBERNETES_EXEC_INFO.
func LoadExecCredentialFromEnv() (runtime.Object, *rest.Config, error) {
	data := os.Getenv(execInfoEnv)
	if data == "" {
		return nil, nil, errors.New("KUBERNETES_EXEC_INFO env var is unset or empty")
	}
	return LoadExecCredential([]byte(data))
}

// LoadExecCredential decodes an ExecCredential of any version, for a program that prints credentials, and returns
// it with a config for the cluster that it describes. The config has no credentials. Without a description of
// the cluster, which ExecConfig.ProvideClusterInfo requests, it returns an error.
func LoadExecCredential(data []byte) (runtime.Object, *rest.Config, error) {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	object, gvk, err := serializer.NewCodecFactory(scheme).UniversalDeserializer().Decode(data, nil, nil)
	if err != nil {
		if runtime.IsNotRegisteredError(err) || runtime.IsMissingKind(err) || runtime.IsMissingVersion(err) {
			return nil, nil, errors.New("decode: not an ExecCredential of client.authentication.k8s.io/v1 or v1beta1")
		}
		return nil, nil, errors.New("decode: not valid JSON of an ExecCredential") // the reason may quote it
	}
	if want := clientauthentication.Kind("ExecCredential"); gvk.GroupKind() != want {
		return nil, nil, fmt.Errorf("invalid group/kind: wanted %s, got %s", want, gvk.GroupKind())
	}
	var credential clientauthentication.ExecCredential
	if err = scheme.Convert(object, &credential, nil); err != nil {
		return nil, nil, fmt.Errorf("cannot convert to ExecCredential: %w", err)
	}
	if credential.Spec.Cluster == nil {
		return nil, nil, errors.New("ExecCredential does not contain cluster information")
	}
	config, err := rest.ExecClusterToConfig(credential.Spec.Cluster)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot create rest.Config: %w", err)
	}
	return object, config, nil
}
