// Package websocket upgrades HTTP connections to WebSockets with the authentication of a config.
//
// [RoundTripperFor] returns a round tripper that sends upgrade requests, and [Negotiate] sends one with the
// subprotocols that the client knows. A server or proxy that does not support WebSockets, or none of the
// subprotocols, causes an UpgradeFailureError: httpstream.IsUpgradeFailure recognizes it, both k8s.io/streaming's and
// apimachinery's, and programs then fall back to SPDY.
//
// # Limits
//
// A config's Dial function is not used.
package websocket
