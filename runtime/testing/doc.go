// Package testing answers the calls of fake clientsets from memory, so that tests need
// no server.
//
// # Terms
//
// An action is one call of a fake client: a verb on a resource, with all that was
// sent. A Fake records actions and asks a chain of reactors for the answer. A tracker
// holds objects; ObjectReaction makes a reactor of it, and TrackObjects a working fake
// of both:
//
//	fake := &testing.Fake{}
//	tracker := testing.NewServerObjectTracker(scheme, decoder, nil)
//	if err := testing.TrackObjects(fake, tracker, objects...); err != nil {
//		...
//	}
//
// Emitted fake clientsets are no more than that. Tests add reactors before it to
// answer otherwise, and read Actions to see what was asked.
//
// # Trackers
//
// NewObjectTracker, on which NewSimpleClientset of emitted fake clientsets builds, and
// NewFieldManagedObjectTracker behave as client-go's do, so that tests written for those
// pass: what is written is stored as it is.
//
// NewServerObjectTracker, on which NewClientset builds, follows the rules of an API
// server. Use it for new tests. docs/fakes.md compares the two.
//
// # What client-go's trackers do
//
// Objects are stored as they are given, their resourceVersion and an empty name included.
// A version is not checked; nor are UIDs. Lists have a version that counts the objects
// stored of their resource, beginning with 1.
//
// Watches with options begin with the objects stored after their resourceVersion, as
// additions; without a version, with all objects; called without any options, with what
// comes next. There are no bookmarks. Selectors are ignored, except that the fake client
// filters lists by labels.
//
// A write to a subresource is one to the object, whatever its type; of a creation that is
// of another type, what was sent is the answer. Options such as dry run and preconditions
// are ignored, and deletions of collections do nothing.
//
// Patches are JSON, merge or strategic merge patches. Apply is a strategic merge patch of
// an object that exists; NewFieldManagedObjectTracker does server-side apply, with
// ownership and conflicts, for kinds that it has a schema of.
//
// Objects given at the start go to the resource that the name of their kind suggests
// (Gateway: gatewaies), which need not be the one that the client asks for.
//
// Other than client-go's, watches hold any number of events that nobody has read, where
// client-go's panic at the 101st; a JSON patch never panics; and clients answer a selector
// that cannot be parsed, or an object of another type from a reactor, with an error
// instead of a panic.
//
// # What a server's tracker does
//
// Versions: one counter, over all resources, gives each change its resourceVersion,
// which is stamped on the object, seeded ones too, and on lists. An update or a patch
// that carries another version than the object's is answered 409 Conflict; one that
// carries none is not checked. The version that a new object comes with is replaced;
// until the object is changed it is accepted in updates, so that a test can use the
// object that it seeded. To compare an object with a seeded one, clear its
// ResourceVersion, or ignore it:
//
//	cmpopts.IgnoreFields(metav1.ObjectMeta{}, "ResourceVersion")
//
// Names: generateName makes a free name, the same in each run of a test.
//
// Updates keep the UID and the creationTimestamp if they are left out; another UID is
// a conflict. Deletions honour their preconditions. A dry run changes nothing and is
// answered as if it had.
//
// Selectors: lists, watches and deletions of collections honour label selectors, and
// field selectors on any scalar by its JSON path (metadata.name, spec.nodeName). A path
// that the objects' Go type does not have is an error, as with a server, rather than
// an empty answer; a field that an object could have and has not is empty. A server
// has fewer fields, and for some built-in kinds fields that are no JSON paths.
//
// Watches: a watch from a resourceVersion gets every change after it, so that nothing
// falls between a list and its watch. Without a version, or from "0", it begins with
// the objects that are there; called without any options, with what comes next. With
// sendInitialEvents the objects come first, and then, with allowWatchBookmarks, the
// bookmark that ends them. With bookmarks allowed, a change that a watch does not
// select is a bookmark. The last 10,000 changes of a resource can be watched from; a
// watch from before is ended by an event with 410 Expired. Events wait for their
// reader in any number; the tracker never waits.
//
// Patches: JSON, merge, and, for objects with a Go type, strategic merge. Others are
// answered 415.
//
// Apply: server-side apply, with ownership, conflicts, force and removal, creates the
// object if there is none. It needs a field manager, as with a server. With a type
// converter, it merges by schema and manages fields from creation on. Without one, and
// for kinds that it does not know, it merges as a server does without a schema: lists as
// a whole. It then writes managedFields only from the first apply to an object on, so
// that objects that nobody applies to stay as they were sent.
//
// Subresources: a write to "status" changes the status, and nothing else, of an object
// that has one. A subresource of another kind, like a scale, is answered with what was
// sent and not stored. Any other is the object itself. A write to the object also
// writes its status.
//
// # Limits
//
// Of a server's rules, there is no validation, no defaulting, no conversion between
// versions; no generation, no UIDs, and no finalizers: a deletion takes effect at once.
// Lists are not paged and watches do not time out. A write that changes nothing is still
// a change, unless it is an apply. Added objects go to the resource that the name of
// their kind suggests, unless NameResource says another, as emitted clientsets do.
//
// A Fake and a tracker are safe for concurrent use. Objects are copied on their way in
// and out.
package testing
