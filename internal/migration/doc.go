// Package migration moves code from client-go to this module.
//
// # Tables
//
// Every package of client-go is in [Pairs] or [Trees], with the packages that replace it, or in
// [Others], with what to do about it. [Decisions] are the symbols of pairs that are not
// kept, with the reasons. docs/compatibility.md is generated from these tables, and
// conformance/docs/compatibility checks them against both modules. [Moves] are the symbols of a pair
// that are not in its first package.
//
// # Operations
//
// [Rewrite] migrates one file, [NewPlan] all files that patterns select; [Plan.Apply] writes
// them. Both go by syntax: a qualifier is one if no declaration of its file hides it. [Check]
// type-checks what is written.
//
// # Limits
//
// Without types, a use of a method or field cannot be recognized: decisions about these are
// for [Check] and the document.
package migration
