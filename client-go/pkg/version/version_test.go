package version

import (
	"runtime"
	"testing"
)

func TestGet(t *testing.T) {
	defer func(before string) { gitVersion = before }(gitVersion)
	gitVersion = "v1.2.3" // as the linker sets it
	got := Get()
	if got.GitVersion != "v1.2.3" || got.GoVersion != runtime.Version() || got.Platform != runtime.GOOS+"/"+runtime.GOARCH {
		t.Errorf("version %+v", got)
	}
}
