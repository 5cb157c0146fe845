// Package corpus has small controllers with bugs that package perturb finds, each with its mended twin. They are
// written once, and run on any runtime that has informers.
package corpus

import (
	"errors"
	"slices"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/perturb"
)

// Case is a controller with a bug, and the same without it.
type Case struct {
	Name          string
	Server        []embedded.Option
	Users         []Step
	Always        []perturb.Invariant
	Wrong, Mended Program
	// Sieve is the issue of a bug that Sieve found, of which this is one by its description.
	Sieve string
	// StaleStart bugs need a first list that is not the newest.
	StaleStart bool
	// Waits reports that the bug needs a process that waits for its work when it has lost its lease.
	Waits bool
}

// Leading is how a program depends on a lease.
type Leading int

// A program needs no lease, works during its terms, or goes on after them.
const (
	Never Leading = iota
	Term
	Beyond
)

// Program is a controller without the machinery that calls it.
type Program struct {
	reconcile func(o *Operator, name string) error
	changes   []func(*Operator)
	// Leading is how the program depends on a lease.
	Leading Leading
	// Unsynced programs begin before their caches have synced.
	Unsynced bool
}

// process returns a controller that reconciles config maps by name.
func process(reconcile func(o *Operator, name string) error, changes ...func(*Operator)) Program {
	return Program{reconcile: reconcile, changes: changes}
}

func (p Program) led(how Leading) Program {
	p.Leading = how
	return p
}

func (p Program) unsynced() Program {
	p.Unsynced = true
	return p
}

// Runtime sets the start function of a controller: one that runs a program.
type Runtime func(c *perturb.Controller, p Program)

// Controller returns what perturb runs: one of the case's programs on a runtime.
func (c Case) Controller(runtime Runtime, p Program) perturb.Controller {
	controller := perturb.Controller{Server: c.Server, UsersClientGo: steps(c.Users...), Always: c.Always}
	runtime(&controller, p)
	return controller
}

// All returns all cases.
func All() []Case {
	return slices.Concat(crashBugs, readBugs, memoryBugs, errorBugs, finalizerBugs, leaseBugs, webhookBugs, twoBugs)
}

var errMore = errors.New("more is to do")
