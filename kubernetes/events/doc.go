// Package events records events of events.k8s.io/v1: short messages about objects, with the action of a controller
// and a second object that takes part.
//
//	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: clientset.EventsV1()})
//	err := broadcaster.StartRecordingToSinkWithContext(ctx)
//	recorder := broadcaster.NewRecorder(scheme, "example.com/librarian")
//	recorder.Eventf(book, reader, corev1.EventTypeNormal, "Available", "Lend", "Lent to %s", reader.Name)
//
// # Terms
//
//   - A recorder creates events and passes them to its broadcaster.
//   - A broadcaster passes each event to its watchers, and to its sink, which writes events with a client.
//   - A series is an event that occurs again: with the same type, reason, action, objects and recorder; the note
//     may differ. It is one object on the server.
//
// # Operations
//
// [NewBroadcaster] creates a broadcaster; methods of [EventBroadcaster] start its watchers and create recorders.
// [GetFieldSelector] selects the events about an object. [NewFakeRecorder] is for tests.
//
// The first event of a series is created. The second makes it a series, whose count and last time are patched; the
// following ones are only counted. All series are written every 30 minutes, so that the server, which deletes
// events after an hour, retains them. A series ends after 6 minutes without an event, with a last write.
//
// # Limits
//
// A recorder never waits. Up to 8 events are written at once, of each series at most one. Events are dropped if
// 1,000 others wait, and if the server rejects them or cannot be reached in 12 attempts, every 10 seconds; events
// of a series are counted nevertheless. [StatsOf] returns the number of drops; the first drop for a full queue,
// and then each time their number has doubled, is also logged. Programs that end lose counts of series that are
// not yet written.
//
// All use the package time, so that tests can run in testing/synctest.
package events
