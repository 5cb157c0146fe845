// Package events makes the same calls on client-go's recorders of events and on ours, and compares what is written.
//
// Random sequences of events go through the correlators of both with one clock, and through the broadcasters of
// both in bubbles of testing/synctest, with sinks that fail in every way. Requests are compared byte by byte,
// with names and times. On a server, the events that both have created are compared.
//
// # Exceptions
//
// When client-go has begun to combine similar events, repetitions of those that it had written before are combined
// or not at random; sequences have no such repetitions. It writes a series twice if times to refresh and to end it
// coincide; such calls count once. Two events about an object at the same nanosecond have one name in client-go,
// so that the server rejects the second one; time passes between all events.
package events
