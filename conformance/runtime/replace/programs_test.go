//go:build programs

package replace_test

import (
	"flag"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/assets"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/runtime/replace"
	"github.com/listwatch/listwatch/internal/golden"
)

var (
	kept       = flag.String("kept", "", "use these `results` of an earlier run: before, same (not those with the line of packages that differ), or both")
	onlyBefore = flag.Bool("before", false, "test and keep only the side before the line")
)

func TestPrograms(t *testing.T) {
	work, err := peers.Work("replace")
	if err != nil {
		t.Fatal(err)
	}
	assets, err := assets.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			before, after := p.run(t, options{work, assets, *kept, *onlyBefore})
			t.Logf("before: %s", summary(before))
			if after == nil {
				return
			}
			t.Logf("after: %s", summary(after))
			p.check(t, before, after)
			if golden.Update {
				page, err := replace.ReadPage()
				if err != nil {
					t.Fatal(err)
				}
				p.setRows(page, before, after)
				if err = page.Write(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
