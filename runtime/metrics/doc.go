// Package metrics contains hooks for the metrics of clients.
//
// A metric is an interface with one method; package variables contain the active metric of each measurement.
// They discard all values until a program registers its own metrics.
//
// [Register] sets the variables, all at once and once per process: later calls have no effect. Call it before
// the first client is created, in an init function or at the beginning of main; the variables are not
// synchronized. [EnsureRegistered] gives an adapter that cannot register so early the opportunity to do so:
// constructors of clients call it. [IsSet] reports whether a metric is registered, so that values that only a
// metric needs are computed only then.
package metrics
