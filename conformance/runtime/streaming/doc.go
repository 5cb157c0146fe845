// Package streaming runs the same commands and forwards the same ports with client-go's remotecommand and portforward
// and with ours, over SPDY and WebSockets: on a server that works, on one that refuses and breaks the protocols, and
// behind a proxy that cuts connections at each byte. Results and errors are compared; where ours differ on purpose,
// the test says so.
package streaming
