// Package metrics lets a program observe what its clients do.
//
// A metric is an interface with one method; the package variables hold the one in use for each
// measurement. Until a program registers its own, they discard what they are told.
//
// [Register] sets the variables, all at once and once in a process: later calls change nothing. It is to
// be called before the first client is made, in an init function or at the beginning of main; the variables
// are not guarded. [EnsureRegistered] gives an adapter that cannot register so early a chance to do
// so: constructors of clients call it. [IsSet] says whether anybody listens, so that what only a metric needs
// is computed only then.
package metrics
