// Package command makes commands of emitters, with the flags, messages and exit codes of gen-all.
//
// The main function of a program calls [Command.Main] with os.Args[1:] and exits with what it returns; the text of its
// main.go comes from "//go:embed main.go". Emitters with flags are a [generators.Flagger]. docs/output.md describes the messages and exit codes.
package command

import (
	"context"
	"io"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/cli"
)

// Command is a command that runs emitters.
type Command struct {
	// Name is the command's name, in messages.
	Name string
	// Source is the text of the Go file with the main function. Its package comment is the manual that --help
	// prints.
	Source string
	// Emitters plan the files. Those that are a [generators.Flagger] add flags to the command.
	Emitters []generators.Emitter
	// All also generates what gen-all generates, with all of its flags. The emitters' model then is what
	// [generators.All] reads.
	All bool
	// Options select what the emitters' model contains, if All is not set. The flags set its Options.
	Options generators.RunOptions
}

// Main runs the command with the arguments, which do not include its name, and returns the exit code. It changes the
// garbage collection of the process unless GOGC is set, so it is for main functions; for others, there are
// [generators.Run] and [generators.All].
func (c Command) Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if c.All {
		return cli.With(c.Name, c.Source, c.Emitters).Main(ctx, args, stdout, stderr)
	}
	return cli.Only(c.Name, c.Source, c.Options, c.Emitters).Main(ctx, args, stdout, stderr)
}
