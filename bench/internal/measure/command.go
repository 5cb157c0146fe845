// Package measure runs programs and measures their cost.
//
// A [Command] is one program with its arguments; [Run] runs commands one after the other and returns
// their [Usage]. [Summarize] computes the median of each figure over several runs of the same
// commands, and [Size] measures the output of a run on disk. [Self] measures a function in this
// process, including memory.
//
// The figures of commands come from the kernel's accounting for a child that has been waited for.
// They include its descendants, if each was waited for by its parent: compilers, formatters and
// "go list" count for the program that started them. CPU time is the sum over that process tree.
// Peak memory is not: it is the largest resident set of a single process. It is never less than the
// resident set of the measuring program, whose memory a child shares until it executes its own
// program; keep that small.
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
	// Dir is the working directory.
	Dir string
	// Env is added to the environment of this process.
	Env []string
}

// Usage is the cost of a run.
type Usage struct {
	// CPU is user and system time of all processes.
	CPU time.Duration
	// Wall is the elapsed time.
	Wall time.Duration
	// Peak is the largest resident set of any one process, in bytes.
	Peak int64
}

// Run runs the commands one after the other and returns their total cost: the sum of the times, and
// the largest peak memory. It stops at the first command that fails, with an error that contains the
// command's output.
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
