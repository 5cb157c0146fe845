// Package spdy upgrades HTTP connections to SPDY, which carries several streams in one connection.
//
// [RoundTripperFor] returns a round tripper that sends upgrade requests with the authentication of a config, and
// the [Upgrader] that turns its responses into connections. [NewDialer] combines both for package portforward.
// The executors of package remotecommand use them as well.
//
// # Limits
//
// Servers prefer WebSockets, and Kubernetes will remove SPDY; packages remotecommand and portforward have both, and
// fall back from one to the other. A config's Dial function is not used. Streams are flow-controlled together: one
// that is not read delays the others.
package spdy
