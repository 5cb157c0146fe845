// Package names proves that no name in the input keeps emitted code from compiling.
//
// # Terms
//
// Every identifier in the output of the generators, in either flavour, is a word. A unit is
// a piece of input that is called by a word: a group, an internal group, a version, a kind,
// a plural, a method, or a group and version which are imported under that name together.
//
// All units of a sort are generated at once. Those that the generators refuse, at a place
// in the unit, are taken out; the test says for what, which is nothing for most sorts. What
// remains must compile, in both flavours.
package names
