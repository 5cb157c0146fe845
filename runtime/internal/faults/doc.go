// Package faults tests how generated clients behave when something goes wrong between them and a server. It
// contains only tests.
//
// A fault is a failure of a server, a proxy or a network: a connection that is cut, a response in another
// format, a storm of 429. A call is a user's call of a clientset: get, create, list, watch, discovery and so
// on. Each fault is combined with each call. The expected results are in three places: the table of faults
// contains the errors; testdata/calls.txt contains how often the request was sent, how long that took, over how
// many connections, and the types and texts of the error; and rules that apply to all of them, such as that a
// part of a list is never mistaken for the whole, are checked for each.
//
// Servers are those of net/http, and the requests are those of a user's program. Most of them run in memory and
// in a bubble of [testing/synctest], so that an hour of waiting takes no time. TLS, HTTP/2, resets of
// connections and limits of memory are tested over sockets.
//
// Secrets are planted in the whole configuration of a client and in the responses of servers, and searched for
// in all output: logs at every verbosity, errors, panics, and printed values.
package faults
