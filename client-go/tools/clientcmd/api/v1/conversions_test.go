package v1_test

import (
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"

	"k8s.io/client-go/tools/clientcmd/api"
	v1 "k8s.io/client-go/tools/clientcmd/api/v1"
)

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	if err := v1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	return s
}

var extensions = []v1.NamedExtension{{Name: "e", Extension: runtime.RawExtension{Raw: []byte(`{"a":1}`)}}}

func internalExtensions() map[string]runtime.Object {
	return map[string]runtime.Object{"e": &runtime.Unknown{Raw: []byte(`{"a":1}`), ContentType: runtime.ContentTypeJSON}}
}

// Each part of a kubeconfig converts to its internal type and back.
func TestParts(t *testing.T) {
	exec := v1.ExecConfig{
		Command: "c", Args: []string{"a"}, Env: []v1.ExecEnvVar{{Name: "n", Value: "v"}}, APIVersion: "x/v1",
		InstallHint: "h", ProvideClusterInfo: true, InteractiveMode: v1.NeverExecInteractiveMode,
	}
	internalExec := api.ExecConfig{
		Command: "c", Args: []string{"a"}, Env: []api.ExecEnvVar{{Name: "n", Value: "v"}}, APIVersion: "x/v1",
		InstallHint: "h", ProvideClusterInfo: true, InteractiveMode: api.NeverExecInteractiveMode,
	}
	cluster := v1.Cluster{
		Server: "s", TLSServerName: "t", InsecureSkipTLSVerify: true, CertificateAuthority: "ca",
		CertificateAuthorityData: []byte("d"), ProxyURL: "p", DisableCompression: true, Extensions: extensions,
	}
	internalCluster := api.Cluster{
		Server: "s", TLSServerName: "t", InsecureSkipTLSVerify: true, CertificateAuthority: "ca",
		CertificateAuthorityData: []byte("d"), ProxyURL: "p", DisableCompression: true, Extensions: internalExtensions(),
	}
	user := v1.AuthInfo{
		ClientCertificate: "c", ClientCertificateData: []byte("cd"), ClientKey: "k", ClientKeyData: []byte("kd"), Token: "t",
		TokenFile: "f", Impersonate: "i", ImpersonateUID: "u", ImpersonateGroups: []string{"g"},
		ImpersonateUserExtra: map[string][]string{"x": {"y"}}, Username: "n", Password: "p",
		AuthProvider: &v1.AuthProviderConfig{Name: "a", Config: map[string]string{"b": "c"}}, Exec: &exec, Extensions: extensions,
	}
	internalUser := api.AuthInfo{
		ClientCertificate: "c", ClientCertificateData: []byte("cd"), ClientKey: "k", ClientKeyData: []byte("kd"), Token: "t",
		TokenFile: "f", Impersonate: "i", ImpersonateUID: "u", ImpersonateGroups: []string{"g"},
		ImpersonateUserExtra: map[string][]string{"x": {"y"}}, Username: "n", Password: "p",
		AuthProvider: &api.AuthProviderConfig{Name: "a", Config: map[string]string{"b": "c"}}, Exec: &internalExec, Extensions: internalExtensions(),
	}
	context := v1.Context{Cluster: "c", AuthInfo: "u", Namespace: "n", Extensions: extensions}
	internalContext := api.Context{Cluster: "c", AuthInfo: "u", Namespace: "n", Extensions: internalExtensions()}
	for _, tt := range []struct {
		name               string
		external, internal any // pointers
	}{
		{"cluster", &cluster, &internalCluster},
		{"user", &user, &internalUser},
		{"context", &context, &internalContext},
		{"exec", &exec, &internalExec},
		{"variable", &v1.ExecEnvVar{Name: "n", Value: "v"}, &api.ExecEnvVar{Name: "n", Value: "v"}},
		{"auth provider", user.AuthProvider, internalUser.AuthProvider},
		{"preferences", &v1.Preferences{Colors: true, Extensions: extensions}, &api.Preferences{Colors: true, Extensions: internalExtensions()}},
		{"clusters", &[]v1.NamedCluster{{Name: "n", Cluster: cluster}}, &map[string]*api.Cluster{"n": &internalCluster}},
		{"users", &[]v1.NamedAuthInfo{{Name: "n", AuthInfo: user}}, &map[string]*api.AuthInfo{"n": &internalUser}},
		{"contexts", &[]v1.NamedContext{{Name: "n", Context: context}}, &map[string]*api.Context{"n": &internalContext}},
		{"extensions", &extensions, &map[string]runtime.Object{"e": internalExtensions()["e"]}},
		{
			"config",
			&v1.Config{CurrentContext: "n", Clusters: []v1.NamedCluster{{Name: "n", Cluster: cluster}}},
			&api.Config{CurrentContext: "n", Clusters: map[string]*api.Cluster{"n": &internalCluster}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScheme(t)
			internal := reflect.New(reflect.TypeOf(tt.internal).Elem()).Interface()
			if err := s.Convert(tt.external, internal, nil); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(internal, tt.internal) {
				t.Errorf("to internal:\n%s, want\n%s", asJSON(t, internal), asJSON(t, tt.internal))
			}
			external := reflect.New(reflect.TypeOf(tt.external).Elem()).Interface()
			if err := s.Convert(tt.internal, external, nil); err != nil {
				t.Fatal(err)
			}
			if got, want := asJSON(t, external), asJSON(t, tt.external); got != want {
				t.Errorf("from internal:\n%s, want\n%s", got, want)
			}
		})
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the other version does not know stays.
func TestKept(t *testing.T) {
	cluster := api.Cluster{LocationOfOrigin: "file", Extensions: map[string]runtime.Object{"before": &runtime.Unknown{}}}
	if err := v1.Convert_v1_Cluster_To_api_Cluster(&v1.Cluster{Server: "s", Extensions: extensions}, &cluster, nil); err != nil {
		t.Fatal(err)
	}
	if cluster.LocationOfOrigin != "file" || cluster.Server != "s" || len(cluster.Extensions) != 2 {
		t.Errorf("cluster is %+v", cluster)
	}
	user := api.AuthInfo{LocationOfOrigin: "file"}
	if err := v1.Convert_v1_AuthInfo_To_api_AuthInfo(&v1.AuthInfo{Token: "t"}, &user, nil); err != nil {
		t.Fatal(err)
	}
	if user.LocationOfOrigin != "file" || user.Token != "t" {
		t.Errorf("location %q, token %q", user.LocationOfOrigin, user.Token)
	}
	exec := api.ExecConfig{StdinUnavailable: true, StdinUnavailableMessage: "m", Config: &runtime.Unknown{}}
	if err := v1.Convert_v1_ExecConfig_To_api_ExecConfig(&v1.ExecConfig{Command: "c"}, &exec, nil); err != nil {
		t.Fatal(err)
	}
	if !exec.StdinUnavailable || exec.StdinUnavailableMessage != "m" || exec.Config == nil || exec.Command != "c" {
		t.Errorf("exec is %+v", exec)
	}
	list := []v1.NamedContext{{Name: "b"}}
	if err := v1.Convert_Map_string_To_Pointer_api_Context_To_Slice_v1_NamedContext(&map[string]*api.Context{"c": {}, "a": {}}, &list, nil); err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 || list[0].Name != "b" || list[1].Name != "a" || list[2].Name != "c" {
		t.Errorf("contexts are %+v", list)
	}
}

func TestDuplicates(t *testing.T) {
	clusters := map[string]*api.Cluster{"a": {}}
	if err := v1.Convert_Slice_v1_NamedCluster_To_Map_string_To_Pointer_api_Cluster(&[]v1.NamedCluster{{Name: "a"}}, &clusters, nil); err == nil {
		t.Error("a cluster replaced another one")
	}
	var contexts map[string]*api.Context
	if err := v1.Convert_Slice_v1_NamedContext_To_Map_string_To_Pointer_api_Context(&[]v1.NamedContext{{Name: "a"}, {Name: "a"}}, &contexts, nil); err == nil {
		t.Error("two contexts have a name")
	}
	var users map[string]*api.AuthInfo
	if err := v1.Convert_Slice_v1_NamedAuthInfo_To_Map_string_To_Pointer_api_AuthInfo(&[]v1.NamedAuthInfo{}, &users, nil); err != nil {
		t.Error(err)
	}
}

// AddToScheme adds what a program registers.
func TestSchemeBuilder(t *testing.T) {
	called := false
	before := v1.SchemeBuilder
	defer func() { v1.SchemeBuilder = before }()
	v1.SchemeBuilder.Register(func(*runtime.Scheme) error {
		called = true
		return nil
	})
	newScheme(t)
	if !called {
		t.Error("the registered function was not called")
	}
}
