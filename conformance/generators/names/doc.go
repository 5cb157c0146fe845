// Package names checks that no name in the input makes generated code fail to compile.
//
// # Terms
//
// Every identifier in the output of the generators, in either flavour, is a word. A unit is a piece
// of input with a word as its name: a group, an internal group, a version, a kind, a plural, a
// method, or a group and version that are imported under that name together.
//
// All units of a sort are generated at once. Those that the generators reject, with an error at a
// position in the unit, are removed; the test lists the expected errors, none for most sorts. The
// rest must compile, in both flavours.
package names
