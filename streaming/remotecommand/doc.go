// Package remotecommand runs commands in containers and attaches to them.
//
//	url := client.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(name).SubResource("exec").
//		VersionedParams(options, parameterCodec).URL()
//	executor, err := remotecommand.NewSPDYExecutor(config, "POST", url)
//	...
//	err = executor.StreamWithContext(ctx, remotecommand.StreamOptions{Stdout: os.Stdout})
//
// # Terminology
//
// A command has up to five streams: its standard streams, one for sizes of the terminal, and one on which the server
// reports the result. SPDY carries them as streams, a WebSocket as channels: messages whose first byte is a number.
// The subprotocol, from channel.k8s.io to v5.channel.k8s.io, determines what they contain.
//
// # Executors
//
// [NewWebSocketExecutor] and [NewSPDYExecutor] return executors for one URL, and [NewFallbackExecutor] one that
// tries the first of two. Executors are safe for concurrent use; each call opens its own connection.
//
// A call returns when the command has ended, and all its output is written. Its result is nil for exit code 0, and an
// exec.CodeExitError of package streaming/exec for any other. Other errors mean that the result is unknown.
//
// # Limits
//
// A call whose context ends returns within about two seconds, even if the server no longer answers. A Read of Stdin,
// a Write or a call of TerminalSizeQueue that is in progress cannot be interrupted: it may outlive the call, and so
// does its goroutine, until it returns. Nothing is buffered but what the two ends of a stream need: output that is
// not accepted delays the command.
package remotecommand
