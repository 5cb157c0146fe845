// Package aliases generates the module client-go: packages with the import paths of k8s.io/client-go that
// declare what client-go declares, as aliases of this project's packages.
//
// # Terms
//
// A [Package] is a package of client-go, with those of ours that have its symbols. Its *aliases* are one
// generated file, aliases.go: types are aliases, constants and variables have ours as their values, and
// functions call ours, so that their documentation shows parameters. *Own* symbols are declared in other files
// beside it, by hand or by our generators, and are left out of the aliases.
//
// # Operations
//
// [Load] reads the types of both sides and what is own, [Set.Text] prints the aliases of a package, and
// [Compare] describes all differences between the API of client-go and that of the module.
//
// # Limits
//
// A variable of client-go and its counterpart are two variables: assigning to one does not change the other,
// except for those of tools/clientcmd and tools/metrics that programs assign to or that Register does.
package aliases
