package exec

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	. "github.com/listwatch/listwatch/runtime/auth/exec"
	"github.com/listwatch/listwatch/runtime/clientauthentication/install"
)

var _ = LoadExecCredential

var (
	scheme = installed()
	codecs = serializer.NewCodecFactory(scheme)
)

func installed() *runtime.Scheme {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	return scheme
}
