// Package scheme has the internal version of scales. Those of all other versions are converted to it and from it, by
// the functions of the packages below, which a scheme registers; see package scale's ScaleConverter.
package scheme
