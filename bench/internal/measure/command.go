// Package measure runs programs and says what they cost.
//
// A [Command] is one program with its arguments; [Run] runs commands one after
// the other and returns their [Usage]. [Summarize] takes the median of each
// figure over several runs of the same commands, and [Size] counts what a run
// left on disk. [Self] measures a function in this process, memory included.
//
// The figures of commands are those that the kernel keeps for a child that has been waited
// for, so they take in the child's own children, and theirs, as far as each was
// waited for by its parent: compilers, formatters and "go list" count for the
// program that started them. CPU time adds up over that tree. Peak memory does
// not: it is the resident set of the one process that had the largest. It is
// never less than what the measuring program itself has resident, as a child
// shares its parent's memory until it executes its own program; keep that small.
//
// The package works on Unix systems only.
package measure

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// Command is a program to run.
type Command struct {
	// Program is the path of the executable file.
	Program string
	// Args are its arguments, without the program's name.
	Args []string
	// Dir is the folder to run in.
	Dir string
	// Env is added to the environment of this process.
	Env []string
}

// Usage is what a run cost.
type Usage struct {
	// CPU is user and system time of all processes.
	CPU time.Duration
	// Wall is the time that passed.
	Wall time.Duration
	// Peak is the largest resident set of any one process, in bytes.
	Peak int64
}

// Run runs the commands one after the other and returns what they cost
// together: times add up, peak memory is the largest. It stops at the first
// command that fails, with an error that holds what the command printed.
func Run(ctx context.Context, commands ...Command) (Usage, error) {
	var sum Usage
	for _, c := range commands {
		u, err := c.run(ctx)
		if err != nil {
			return Usage{}, err
		}
		sum.CPU += u.CPU
		sum.Wall += u.Wall
		sum.Peak = max(sum.Peak, u.Peak)
	}
	return sum, nil
}

func (c Command) run(ctx context.Context) (Usage, error) {
	var printed bytes.Buffer
	cmd := exec.CommandContext(ctx, c.Program, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdout, cmd.Stderr = &printed, &printed

	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return Usage{}, fmt.Errorf("%s: %w\n%s", filepath.Base(c.Program), err, printed.Bytes())
	}
	state := cmd.ProcessState
	return Usage{
		CPU:  state.UserTime() + state.SystemTime(),
		Wall: wall,
		Peak: peak(state.SysUsage().(*syscall.Rusage)),
	}, nil
}

// peak returns the largest resident set in bytes, which Darwin counts in bytes
// and the others in KiB.
func peak(r *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(r.Maxrss)
	}
	return int64(r.Maxrss) << 10
}
