// Package migration describes how code moves from client-go to this module.
//
// Every package of client-go is either in [Pairs], with the packages that replace it, or in
// [Others], with what to do about it. [Decisions] are the symbols of pairs that are not
// kept, with the reasons. docs/compatibility.md is generated from these three tables, and
// conformance/compatibility checks them against both modules.
package migration
