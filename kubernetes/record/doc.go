// Package record records events: short messages about objects, of kind Event in v1, which "kubectl describe"
// shows.
//
//	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
//	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clientset.CoreV1().Events("")})
//	recorder := broadcaster.NewRecorder(scheme, corev1.EventSource{Component: "librarian"})
//	recorder.Eventf(book, corev1.EventTypeNormal, "Lent", "Lent to %s", reader)
//
// # Terms
//
//   - A recorder creates events and passes them to its broadcaster.
//   - A broadcaster passes each event to its watchers: sinks, logs, functions.
//   - A sink writes events, with a client of the user's choice.
//   - A correlator decides how an event is written. An event that occurs again is not a new object: its count and
//     its last time are patched. After ten similar events, which differ only in their messages, further ones are
//     combined. More than 25 events about an object, and then one in five minutes, are spam and dropped.
//
// # Operations
//
// [NewBroadcaster] creates a broadcaster; methods of [EventBroadcaster] start its watchers and create recorders.
// [NewEventCorrelator] is for programs that write events themselves. [NewFakeRecorder] is for tests.
//
// # Limits
//
// A recorder never waits, neither for a server nor for a function. Events are dropped if a watcher is slow and its
// queue full, if they are spam, and if the server rejects them or cannot be reached in 12 attempts, every 10
// seconds. [StatsOf] returns the number of each; the first drop for a full queue, and then each time their number
// has doubled, is also logged.
//
// All use the package time, so that tests can run in testing/synctest; [CorrelatorOptions] can contain another
// clock for the correlator.
package record
