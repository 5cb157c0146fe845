// Package perturb finds bugs of controllers that show only if they crash or read at the wrong moment.
//
// It runs a controller against an API server of package embedded, disturbs it in a different way each time, and
// compares what comes out with the undisturbed run. The controller is not changed:
//
//	func TestPerturbed(t *testing.T) {
//		perturb.Run(t, perturb.Controller{
//			Server: []embedded.Option{embedded.WithCRDs("config/crd")},
//			Start:  run,   // func(ctx context.Context, config *rest.Config) error
//			Users:  users, // of the same type: creates, changes and deletes objects
//		})
//	}
//
// # Terms
//
// A run is one server with one program and its users. Each run is in its own bubble of package testing/synctest, with
// connections in memory: time is virtual, and the program rests when it has changed nothing for two seconds, however often
// it writes what is there. A minute of back-off takes no time. Each request of a user waits until the program rests, so
// that runs are alike.
//
// A schedule has one or two disturbances of a run. Each begins at a write, which its text names:
//
//   - "crash after" a write of the program: it takes effect, but the process ends before it learns of it, and another
//     one is started. With "restart with the state before", the first lists of that process which accept any version
//     (resourceVersion=0, as those of informers do) are as old as that, and its watches deliver nothing until it
//     rests: it is connected to an API server that lags.
//   - "stop before" a write of a user: the program is away meanwhile.
//   - "hold" a resource from a write on: watches of it deliver nothing, others do.
//   - "miss" a resource: the same, but then its watches end and the history has expired, so that the program learns
//     what has changed from a list, if at all.
//   - "conflict at", "fail", "throttle" and "time out at" a write of the program: the first three are not carried out,
//     the last is. The third is a response 429, which clients repeat after a second.
//   - "lose lease at" a write of the program: from then on the process cannot renew its lease, and another one is
//     started. It is used if the program has a lease.
//   - "delay webhook" at a write that it reviews: the webhook is called at once, and its response arrives half a second
//     before the time-out. Users and the program go on meanwhile, so that responses to other writes overtake it.
//   - "lose webhook" at such a write: the response does not arrive, and the server does what the failure policy says.
//
// The first is at a write of the undisturbed run. A second one is a crash or an error of a write that follows the first
// disturbance, such as one that the program makes only because of that. Schedules with two come after all others.
//
// "stop", "hold" and "miss" last until the program rests, or with "until users are done" to the end of their work. With
// it, a process that has crashed is restarted only then.
//
// A crashed process sends nothing more, even if Start has not returned yet, and is replaced after a second. A process
// whose Start has returned sends nothing more, either. After a disturbance, users wait until the program has written
// nothing for a minute, or the Recovery of its [Controller], so that it can repeat what has failed.
//
// # Webhooks
//
// A program serves its admission webhooks with [Serve] in place of a server on the network. Services in configurations of
// webhooks, from the options of the server or of the program, lead there. Webhooks with an URL are called outside of the
// bubble.
//
// # Real time
//
// With RealTime, runs are not in bubbles: the program may use the network and other processes, and a run takes seconds. It
// rests when it has changed, received and requested nothing for that time, and five times as long after a
// disturbance, which must be longer than its retries. Each process connects to a server of its own, which ends with it.
//
// # Operations
//
// [Run] plans schedules from the undisturbed run and runs several at a time, as many as its budget allows; kinds take
// turns. Schedules are left out if they come to the same as others: holds during which the program would receive
// nothing or the same, absences after the last write of users, and states that no list of the program would show. A run
// fails if
//
//   - an [Invariant] does not hold after a write of anybody;
//   - the objects at the end differ from those of the undisturbed run, except for UIDs, versions, times, and the
//     completed parts of names;
//   - the program writes after another process has acquired its lease;
//   - an object is created again and again, the number of changes is not bounded, or the program never rests;
//   - an object is left whose owner is deleted;
//   - users fail with another error than a response of the server.
//
// [Search] does the same for callers that judge what is found themselves.
//
// A schedule that fails is run twice again, and reported only if it fails each time. The report says so if the program
// recovers within twenty minutes, as one does whose retries have longer pauses than a minute. The report has a diagram of the
// run, and the schedule for [Replay], which a regression test calls, and for the flag -perturb.replay. The flag
// -perturb.budget sets for how long each Run begins schedules; with -perturb.all, all schedules are run.
//
// # Limits
//
// Errors that are reported by apimachinery's package util/runtime do not pause the process any more: the pause would
// depend on the clocks of other bubbles. This lasts to the end of the process.
//
// Without RealTime, the program must run in a bubble: it uses the network only through the configuration that it gets,
// and its goroutines end when its context does. Listeners of its own, for metrics, are replaced by one that waits on a
// channel. Panics in other goroutines than that of Start end the test.
//
// Webhooks of conversions are not disturbed, and those of services cannot be reached.
//
// A correct program may come to another end if what it does depends on what it has seen on the way, such as an object
// for each value that a field has had. Schedules that last until users are done are judged by their end only if a
// program that starts after all users' work comes to the end of the undisturbed run. What else may differ, Ignore
// removes. The undisturbed run is made twice; a program whose runs differ cannot be judged.
//
// Bugs that need three disturbances, and other writers than the users, are not tried. Leases and events are neither
// disturbed nor judged, except as above.
package perturb
