// Package faults holds the clients that are emitted to what they must do when something goes wrong
// between them and a server. It has tests only.
//
// A fault is what a server, a proxy or a network does wrong: a connection that is cut, an answer of
// another format, a storm of 429. A call is what a user asks of a clientset: get, create, list, watch,
// discovery and so on. Each fault meets each call. What must come of it is written in three places:
// the table of faults says which error it must be; testdata/calls.txt says how often the request was sent,
// how long that took, over how many connections, which types the error has and what it tells; and rules
// that hold for all of them, such as that no part of a list is ever taken for the whole, are checked
// for each.
//
// Servers are those of net/http, and the requests are those that a user's program would send. Most
// of them run in memory and in a bubble of [testing/synctest], so that an hour of waiting takes no time.
// TLS, HTTP/2, resets of connections and limits of memory are tested over sockets.
//
// Secrets are planted in all that a client is configured with and in what servers answer, and looked for
// in all that comes out of it: logs at every verbosity, errors, panics, and printed values.
package faults
