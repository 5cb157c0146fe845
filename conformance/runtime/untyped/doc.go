// Package untyped compares dynamic and metadata clients, their informers and their fakes with client-go's.
//
// A script is run with client-go's clients on a server, apitest or the real one, and its exchanges are recorded. Then
// it is run with ours, which receive the recorded responses: the requests must be equal, and the results of each call.
// Informers of both run on one server side by side, and must deliver the same events. Fakes of both receive the same
// calls, each alone and in random sequences, and must return the same and record the same actions.
package untyped
