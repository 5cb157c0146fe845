package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

func TestOurThreeTakeTheFlagsOfTheirThree(t *testing.T) {
	f := folders{bench: filepath.FromSlash("/repository/bench")}
	for _, in := range inputs {
		theirs, ours := theirThree(in, f), ourThree(in, f)
		for i := range ours {
			flags := slices.DeleteFunc(slices.Clone(ours[i].Args), func(a string) bool { return a == clientGo })
			if !slices.Equal(flags, theirs[i].Args) || len(flags)+1 != len(ours[i].Args) {
				t.Errorf("%s: ours take %q, theirs %q", in.name, ours[i].Args, theirs[i].Args)
			}
		}
	}
}

func TestEveryCommandWritesBelowTheFolderThatIsEmptied(t *testing.T) {
	f := folders{bench: filepath.FromSlash("/repository/bench")}
	for _, in := range slices.Concat(inputs, projects) {
		for _, c := range in.contenders {
			for _, command := range c.commands(in, f) {
				if in.patterns != "" && command.Dir == f.dir(in) && command.Dir != f.source(in) {
					continue // the directory in which the command runs is a copy
				}
				if !writesBelow(command, f.output(in)) {
					t.Errorf("%s, %s: %q does not write below %s", in.name, c.name, command.Args, f.output(in))
				}
			}
		}
	}
}

func writesBelow(c measure.Command, dir string) bool {
	return slices.ContainsFunc(c.Args, func(arg string) bool {
		to, ok := strings.CutPrefix(arg, "--output-dir=")
		return ok && strings.HasPrefix(to, dir)
	})
}

func TestEverythingIsGeneratedByBoth(t *testing.T) {
	f := folders{bench: filepath.FromSlash("/repository/bench")}
	for _, in := range inputs {
		if in.patterns == "" {
			continue
		}
		var programs []string
		for _, command := range theirSeven(in, f) {
			programs = append(programs, filepath.Base(command.Program))
		}
		slices.Sort(programs)
		if len(slices.Compact(programs)) != 7 {
			t.Errorf("%s: theirs are %q", in.name, programs)
		}
	}
}
