package kubeconfig

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/kubeconfigtest"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	theirs "k8s.io/client-go/tools/clientcmd"
)

// FuzzLoad: any file is the same config, with the same written form, or an error for both. Ours does not quote the
// secret.
func FuzzLoad(f *testing.F) {
	for _, c := range kubeconfigtest.Read(f, cases) {
		for _, file := range c.Files {
			f.Add([]byte(kubeconfigtest.Expand(string(file.Data), "/dir")))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, gotErr := clientcmd.Load(data)
		want, wantErr := theirs.Load(data)
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("got error %v, want %v", gotErr, wantErr)
		}
		if gotErr != nil {
			return
		}
		if g, w := kubeconfigtest.Dump(got), kubeconfigtest.Dump(want); g != w {
			t.Fatalf("got %s\nwant %s", g, w)
		}
		gotText, gotErr := clientcmd.Write(*got)
		wantText, wantErr := theirs.Write(*want)
		if (gotErr == nil) != (wantErr == nil) || string(gotText) != string(wantText) {
			t.Fatalf("wrote %s, %v\nwant %s, %v", gotText, gotErr, wantText, wantErr)
		}
		gotConfig, gotErr := clientcmd.RESTConfigFromKubeConfig(data)
		wantConfig, wantErr := theirs.RESTConfigFromKubeConfig(data)
		if gotErr != nil && wantErr == nil && strings.Contains(gotErr.Error(), "does not exist") {
			return // the user of the context, see the case user-missing
		}
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("got error %v, want %v", gotErr, wantErr)
		}
		if g, w := kubeconfigtest.Dump(gotConfig), kubeconfigtest.Dump(wantConfig); g != w {
			t.Fatalf("got %s\nwant %s", g, w)
		}
	})
}
