// Package generators generates typed Kubernetes clientsets, listers and informers from Go
// API types.
//
// # Terms
//
// An API package is a Go package that contains the types of one version of one API group.
// A type with the marker +genclient in the comment above it is a kind; other markers
// configure its client. A view is a struct with the marker +listwatch:view and some fields of a kind's type; its client
// reads objects of the kind. The runtime is the library that generated code uses: this module's
// packages below runtime, or client-go.
//
// # Operations
//
// [Clientset], [Lister], [Informer] and [ApplyConfiguration] each generate one tree of packages,
// [DeepCopy] and [Register] a file in each API package, [CRD] a file for each CustomResourceDefinition, and [RBAC] and
// [Webhook] one file for a module;
// [All] reads the API packages once and generates all of it. A run finds the API packages and parses the
// files it needs, without type-checking or compiling anything. It builds a model of
// groups, versions and kinds, plans the files, prints them, and compares them with those on
// disk. Then it writes: unchanged files are not touched, and files that an earlier run
// generated but this run does not are removed, except CustomResourceDefinitions of kinds in packages that
// it does not read. In the packages that it generates, so are those of code-generator's tools.
//
// [Read] returns the model alone, which package model describes. [Run] generates what
// emitters plan for it. An [Emitter] gets the model and returns the files to generate, with
// their templates; those of the generators are [ClientsetEmitter], [ListerEmitter],
// [InformerEmitter], [ApplyConfigurationEmitter], [DeepCopyEmitter], [RegisterEmitter], [CRDEmitter], [RBACEmitter] and
// [WebhookEmitter]. [All] takes further emitters.
//
// All errors in the input are reported together, with their positions, as [Errors]. If a
// run fails before all new files are on disk next to their destinations, the output is
// unchanged.
//
// Input that cannot be generated, whose output would not compile, or that API servers refuse is an error.
// The functions that replace code-generator's tools, all but [All], accept what those accept, with a warning.
// What only looks wrong, such as a marker without effect, is a warning. [Options].Strict turns all warnings into
// errors, except those of [All] about fields that runtime/codec decodes slowly.
//
// # Limits
//
// Information that needs a type checker is not available: the values of constants, and
// declarations in packages that are not on disk. The functions
// can be called concurrently if their outputs do not overlap.
package generators

import (
	"context"
	"errors"
)

// Errors that callers can act on.
var (
	// ErrStale reports, in mode [Verify], that the output on disk is out of date.
	ErrStale = errors.New("generated files are out of date")
	// ErrNoTypes reports that no type in the API packages has the marker +genclient; for [All], that nothing else
	// is requested either.
	ErrNoTypes = errors.New("no types are marked +genclient")
	// ErrUsage is wrapped by errors in options, as opposed to errors in the input.
	ErrUsage = errors.New("invalid usage")
)

// Clientset generates a clientset: the clients of all kinds, their scheme, and a fake
// clientset. The report is never nil.
func Clientset(ctx context.Context, opts ClientsetOptions) (*Report, error) {
	emitter, err := ClientsetEmitter(opts)
	if err != nil {
		return &Report{}, err
	}
	run := opts.run()
	run.Lenient, run.DefaultDir = true, DefaultDir+"/clientset"
	return Run(ctx, run, emitter)
}

// Lister generates listers. The report is never nil.
func Lister(ctx context.Context, opts ListerOptions) (*Report, error) {
	return Run(ctx, RunOptions{Options: opts.Options, Lenient: true, DefaultDir: DefaultDir + "/listers"}, ListerEmitter())
}

// Informer generates shared informers and their factory. The report is never nil.
func Informer(ctx context.Context, opts InformerOptions) (*Report, error) {
	emitter, err := InformerEmitter(opts)
	if err != nil {
		return &Report{}, err
	}
	return Run(ctx, RunOptions{Options: opts.Options, Lenient: true, DefaultDir: DefaultDir + "/informers"}, emitter)
}

// ApplyConfiguration generates apply configurations, which server-side apply sends. The report
// is never nil.
func ApplyConfiguration(ctx context.Context, opts ApplyConfigurationOptions) (*Report, error) {
	emitter, err := ApplyConfigurationEmitter(opts)
	if err != nil {
		return &Report{}, err
	}
	run := opts.run()
	run.Lenient, run.DefaultDir = true, DefaultDir+"/applyconfiguration"
	return Run(ctx, run, emitter)
}

// DeepCopy generates deepcopy functions: a file zz_generated.deepcopy.go in each package whose markers
// request them. The output directory of the options is not used. The report is never nil.
func DeepCopy(ctx context.Context, opts DeepCopyOptions) (*Report, error) {
	return Run(ctx, RunOptions{Options: opts.Options, PackagesOnly: true, Copies: true, Lenient: true}, DeepCopyEmitter())
}

// Register generates the registration of API types in schemes: a file zz_generated.register.go in
// each package whose markers request it. The output directory of the options is not used. The report
// is never nil.
func Register(ctx context.Context, opts RegisterOptions) (*Report, error) {
	return Run(ctx, RunOptions{Options: opts.Options, PackagesOnly: true, Registers: true, Lenient: true}, RegisterEmitter())
}

// CRD generates the CustomResourceDefinitions of kinds, one YAML file each, as controller-gen does.
// The report is never nil.
func CRD(ctx context.Context, opts CRDOptions) (*Report, error) {
	emitter, err := CRDEmitter(opts)
	if err != nil {
		return &Report{}, err
	}
	return Run(ctx, opts.run(), emitter)
}

// RBAC generates the roles that markers +kubebuilder:rbac request, into one file, as controller-gen does. The report is never nil.
func RBAC(ctx context.Context, opts RBACOptions) (*Report, error) {
	emitter, err := RBACEmitter(opts)
	if err != nil {
		return &Report{}, err
	}
	return Run(ctx, opts.run(), emitter)
}

// Webhook generates the configurations of webhooks that markers +kubebuilder:webhook request, into one file, as controller-gen
// does. The report is never nil.
func Webhook(ctx context.Context, opts WebhookOptions) (*Report, error) {
	emitter, err := WebhookEmitter(opts)
	if err != nil {
		return &Report{}, err
	}
	return Run(ctx, opts.run(), emitter)
}

// All generates the output of [Clientset], [Lister], [Informer] and [ApplyConfiguration], into
// the directories clientset, listers, informers and applyconfiguration, the output of [DeepCopy], [Register],
// [CRD], [RBAC] and [Webhook] where markers request it, and what more emitters plan for the same model, which then contains the
// declarations of types. It also reads the packages for
// which an earlier run generated clients in the same directories, and those of the module with markers about permissions and
// webhooks if a package of the run has some, or an earlier run generated them; see [Report]. Of the packages with the marker +groupName alone, it
// only registers those that have a generated registration already. The report is never nil.
func All(ctx context.Context, opts AllOptions, more ...Emitter) (*Report, error) {
	emitter, err := allEmitter(opts)
	if err != nil {
		return &Report{}, err
	}
	run := opts.run()
	run.TypeDecls = len(more) > 0
	return Run(ctx, run, append([]Emitter{emitter}, more...)...)
}
