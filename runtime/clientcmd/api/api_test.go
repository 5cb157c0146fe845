package api_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
)

const planted = "s3cr3t"

// full returns a Config with a secret in each place that may hold one.
func full() *api.Config {
	extension := map[string]runtime.Object{"e": &runtime.Unknown{Raw: []byte(planted)}}
	return &api.Config{
		Clusters: map[string]*api.Cluster{"cluster": {
			Server:     "https://user:" + planted + "@server:6443",
			ProxyURL:   "http://user:" + planted + "@proxy",
			Extensions: extension,
		}},
		AuthInfos: map[string]*api.AuthInfo{"user": {
			ClientKeyData:        []byte(planted),
			Token:                planted,
			Username:             "name",
			Password:             planted,
			ImpersonateUserExtra: map[string][]string{"k": {planted}},
			AuthProvider:         &api.AuthProviderConfig{Name: "provider", Config: map[string]string{"token": planted}},
			Exec: &api.ExecConfig{
				Command: "program",
				Args:    []string{planted},
				Env:     []api.ExecEnvVar{{Name: "NAME", Value: planted}},
				Config:  &runtime.Unknown{Raw: []byte(planted)},
			},
			Extensions: extension,
		}},
		Contexts:       map[string]*api.Context{"context": {Cluster: "cluster", AuthInfo: "user"}},
		CurrentContext: "context",
		Extensions:     extension,
	}
}

func TestNothingSecretIsPrinted(t *testing.T) {
	config := full()
	user := config.AuthInfos["user"]
	for _, v := range []any{
		config, *config, config.Clusters["cluster"], *config.Clusters["cluster"], user, *user, user.AuthProvider, *user.AuthProvider,
		user.Exec, *user.Exec, user.Exec.Env[0], &user.Exec.Env[0],
	} {
		t.Run(fmt.Sprintf("%T", v), func(t *testing.T) { secrettest.Check(t, v, planted) })
	}
	// Loggers that turn to JSON when they meet a type that they do not know are not held.
	for _, v := range []any{
		config.Clusters, config.AuthInfos, user.Exec.Env,
		struct{ Exec *api.ExecConfig }{user.Exec}, struct{ Exec api.ExecConfig }{*user.Exec},
	} {
		t.Run(fmt.Sprintf("%T", v), func(t *testing.T) { secrettest.CheckFmt(t, v, planted) })
	}
	for _, v := range []any{(*api.Config)(nil), (*api.AuthInfo)(nil), (*api.ExecConfig)(nil), (*api.Cluster)(nil), (*api.AuthProviderConfig)(nil)} {
		if got := fmt.Sprintf("%v %+v %#v", v, v, v); got != "<nil> <nil> <nil>" {
			t.Errorf("a nil %T prints as %q", v, got)
		}
	}
}

func TestPrintedFormSaysSomething(t *testing.T) {
	got := fmt.Sprint(full())
	for _, part := range []string{"REDACTED@server:6443", `Username:"name"`, `Name:"provider"`, `Command:"program"`, `CurrentContext:"context"`} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in %s", part, got)
		}
	}
}

// TestJSONIsComplete: a kubeconfig file has to hold the credentials.
func TestJSONIsComplete(t *testing.T) {
	config := full()
	config.AuthInfos["user"].Exec.Config, config.AuthInfos["user"].Extensions = nil, nil // interfaces cannot be read back
	data, err := json.Marshal(config.AuthInfos["user"])
	if err != nil {
		t.Fatal(err)
	}
	var back api.AuthInfo
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.AuthInfos["user"], &back); diff != "" {
		t.Errorf("read back differently (-want +got):\n%s", diff)
	}
}

func TestDeepCopy(t *testing.T) {
	config := full()
	copied := config.DeepCopy()
	if !reflect.DeepEqual(config, copied) {
		t.Error("the copy differs")
	}
	copied.AuthInfos["user"].Exec.Args[0] = "changed"
	copied.Clusters["cluster"].Server = "changed"
	if !reflect.DeepEqual(config, full()) {
		t.Error("a change of the copy changes the original")
	}
}

func TestNew(t *testing.T) {
	config := api.NewConfig()
	config.Clusters["a"], config.AuthInfos["a"], config.Contexts["a"] = api.NewCluster(), api.NewAuthInfo(), api.NewContext()
	config.Extensions["a"], config.Clusters["a"].Extensions["a"], config.AuthInfos["a"].Extensions["a"], config.Contexts["a"].Extensions["a"] = nil, nil, nil, nil
	config.AuthInfos["a"].ImpersonateUserExtra["a"] = nil

	config.SetGroupVersionKind(api.SchemeGroupVersion.WithKind("Config"))
	if gvk := config.GetObjectKind().GroupVersionKind(); gvk.Kind != "Config" || gvk.Version != runtime.APIVersionInternal {
		t.Errorf("got %v", gvk)
	}
}
