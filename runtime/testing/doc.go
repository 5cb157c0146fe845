// Package testing implements the objects behind fake clientsets, so that tests need no server.
//
// # Terms
//
// An action is one call of a fake client: a verb on a resource, with all arguments. A Fake records
// actions and passes each to a chain of reactors, of which the first that handles it returns the
// result. A tracker stores objects; ObjectReaction returns a reactor that uses it, and TrackObjects
// a working fake of both:
//
//	fake := &testing.Fake{}
//	tracker := testing.NewServerObjectTracker(scheme, decoder, nil)
//	if err := testing.TrackObjects(fake, tracker, objects...); err != nil {
//		...
//	}
//
// Generated fake clientsets consist of just that. Tests prepend reactors to return other results,
// and check the requests with Actions.
//
// # Trackers
//
// NewObjectTracker, which generated fake clientsets use in NewSimpleClientset, and
// NewFieldManagedObjectTracker behave like client-go's, so that tests written for those pass:
// objects are stored as they are written.
//
// NewServerObjectTracker, which they use in NewClientset, follows the rules of an API server. Use
// it for new tests. docs/fakes.md compares the two.
//
// # Behaviour of client-go's trackers
//
// Objects are stored as given, including their resourceVersion and an empty name. Neither versions
// nor UIDs are checked. The version of a list is the number of objects stored of its resource so
// far, starting with 1.
//
// Watches with options start with the objects stored after their resourceVersion, as additions;
// without a version, with all objects; without any options, with the next change. There are no
// bookmarks. Selectors are ignored, except that the fake client filters lists by labels.
//
// A write to a subresource is a write to the object, whatever its type. Creating a subresource of
// another type returns the sent object. Options such as dry run and preconditions are ignored, and
// deleting collections does nothing.
//
// Patches are JSON, merge or strategic merge patches. Apply is a strategic merge patch of an
// existing object; NewFieldManagedObjectTracker implements server-side apply, with ownership and
// conflicts, for kinds of which it has a schema.
//
// Initial objects are added to the resource that the name of their kind suggests (Gateway:
// gatewaies), which may differ from the one that the client requests.
//
// Unlike client-go's, watches store any number of unread events, where client-go's panic at the
// 101st; a JSON patch never panics; and clients return an error instead of panicking if a selector
// cannot be parsed or a reactor returns an object of another type.
//
// # Behaviour of a server's tracker
//
// Versions: one counter for all resources assigns each change its resourceVersion, which is set in
// the object, initial ones included, and in lists. An update or a patch with another version than
// the object's fails with 409 Conflict; one without a version is not checked. The version in a new
// object is replaced; until the object is changed, updates with the original version are accepted,
// so that a test can use the object that it has added. To compare an object with an initial one,
// clear its ResourceVersion, or ignore it:
//
//	cmpopts.IgnoreFields(metav1.ObjectMeta{}, "ResourceVersion")
//
// Names: generateName generates a free name, the same in every run of a test.
//
// Updates preserve the UID and the creationTimestamp if they are omitted; another UID is a
// conflict. Deletions check their preconditions. A dry run changes nothing and returns the result
// that the write would have.
//
// Selectors: lists, watches and deletions of collections support label selectors, and field
// selectors on any scalar by its JSON path (metadata.name, spec.nodeName). A path that does not
// exist in the objects' Go type is an error, as with a server, and does not select nothing; a field
// that an object could have and does not have is empty. A server supports fewer fields, and for
// some built-in kinds fields that are not JSON paths.
//
// Watches: a watch from a resourceVersion receives every change after it, so that there is no gap
// between a list and its watch. Without a version, or from "0", it starts with the existing
// objects; without any options, with the next change. With sendInitialEvents the objects come
// first, and then, with allowWatchBookmarks, the bookmark that ends them. If bookmarks are allowed,
// a change that a watch does not select is a bookmark. A watch can start at any of the last 10,000
// changes of a resource; a watch from before them is ended by an event with 410 Expired. Any number
// of events can wait for their reader; the tracker never blocks.
//
// Patches: JSON, merge, and, for objects with a Go type, strategic merge. Others fail with 415.
//
// Apply: server-side apply, with ownership, conflicts, force and removal, creates the object if it
// does not exist. It requires a field manager, as with a server. With a type converter, it merges
// by schema and manages fields from creation on. Without one, and for kinds that the converter does
// not know, it merges as a server does without a schema: lists as a whole. In this case it writes
// managedFields only from the first apply to an object on, so that objects without applies stay as
// they were sent.
//
// Subresources: a write to "status" changes only the status of an object that has one. A write to a
// subresource of another kind, such as a scale, returns the sent object and stores nothing. Any
// other subresource is the object itself. A write to the object also writes its status.
//
// # Limits
//
// Of a server's rules, validation, defaulting, conversion between versions, generation, UIDs and
// finalizers are missing: a deletion takes effect immediately. Lists are not paged and watches do
// not time out. A write that changes nothing is still a change, unless it is an apply. Initial
// objects are added to the resource that the name of their kind suggests, unless NameResource sets
// another, as generated clientsets do.
//
// A Fake and a tracker are safe for concurrent use. Objects are copied on their way in and out.
package testing
