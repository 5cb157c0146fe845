// Package suite holds what a Kubernetes API server, a clientset, an informer and a fake
// must do, as scripts that run against the real kube-apiserver, against apitest, and
// through clients.
//
// # Terms
//
// A case is one script: a file testdata/cases/CLAUSE/NAME.case. Its clause is what of an
// API it shows (the folders of testdata/cases are the clauses). It is made of steps; most
// are requests. Below a step stands its answer as the real server gave it, in a normal
// form: without clocks, identifiers and counters. A [Target] answers requests: a server
// over HTTP, or a client. A column is what a report says of a target.
//
// # Scripts
//
//	# An update that names an old resource version is refused.
//	#
//	# What comes before the first step describes the case; its first line is the title.
//
//	crd widgets
//
//	POST /apis/${group}/v1/namespaces/${ns}/widgets?fieldValidation=Strict
//	    apiVersion: ${group}/v1
//	    kind: Widget
//	    metadata: {name: one}
//	< 201 Created
//	    apiVersion: ${group}/v1
//	    ...
//
// Lines that start with "#" are comments. Lines that are indented by four spaces belong to
// what is above them: the body of a request, in YAML, or that of an answer. A request's
// headers stand between its first line and its body. Lines that start with "<", and what is
// indented below them, are answers: nobody writes those, see Recording. The steps are:
//
//	METHOD /path?query            a request; values of the query are written as they are
//	repeat N METHOD /path?query   the same N times, with ${i} from 1 to N
//	race N METHOD /path?query     the same at once; the answers are counted
//	watch W /path?query           starts watch W (a GET with watch=true)
//	events W N                    waits for N events of W (bookmarks do not count)
//	events W until bookmark       waits for events of W up to and with a bookmark,
//	events W until error          or an ERROR event,
//	events W until end            or the end of the answer
//	stop W                        ends W from the client's side
//	let NAME {.json.path}         keeps a value of the last answer as ${NAME}
//	crd NAME                      defines the custom resource of testdata/crds/NAME.yaml
//	server compact                makes the server forget history: old resource versions
//	                              and continue tokens are expired after it
//	server restart                stops the server and starts it again with its data
//	plugin ServiceAccount         runs the case on a server with this admission plugin, which the
//	                              others do not have
//	hide .field.path              leaves a field out of all answers of the case (say why)
//	show managedFields            shows in full what is left out otherwise
//	differs TARGET: reason        below an answer: TARGET answers as is recorded below
//	                              this line, and why that is so
//
// Every case has the variables ${ns}, a namespace of its own, which exists, ${group}, an API
// group of its own, and ${i} where requests are repeated. CRDs of testdata/crds are defined
// in ${group}; they are served when the step is done. Cases run in parallel on one server:
// they must not depend on objects outside ${ns} and ${group}, and name cluster-scoped
// objects after ${ns}. Those with a "server" step run alone, and those with a "plugin" step on a
// server of their own.
//
// A request's headers are those of HTTP; some names mean more, and are not sent:
//
//	User: jane                 who asks: any name; nobody for no credentials; default the admin
//	Groups: a, b               that user's groups
//	Raw: true                  sends the body as it stands, not as JSON or protobuf
//	Show: {.json.path}         records only this of the answer's body; "Show: status" nothing of it
//	Until: {.json.path} value  repeats the request until a field of the answer has the value,
//	Until: 200 text            or the answer this status, and its body the text, if there is one
//
// A body is sent in the form that Content-Type names: JSON (the default, except for
// patches, whose type must be given), YAML, or application/vnd.kubernetes.protobuf for
// Kubernetes' own kinds. Answers in protobuf are recorded as YAML.
//
// # Normal form
//
// Objects are YAML, Status answers "reason" and what matters of the rest. In all of them:
// the case's namespace and group appear as ${ns} and ${group}; times of the run as <time>;
// UIDs as uid1, uid2 by first appearance; suffixes of generateName as <random1>; continue
// tokens by what they hold. Resource versions of objects are rv1, rv2 by first appearance,
// and a greater number is a greater version (one that appears late is rv1.1, between rv1
// and rv2). Those of lists and bookmarks depend on what else a server does: they are ≥rv2,
// at least that of the newest object known, and ${name} where a request goes back to a
// version that was kept. metadata.managedFields are left out, unless shown; so are apitest's
// warnings about itself.
//
// # Recording
//
// Answers are recorded from the real server only, and written into the scripts:
//
//	go test -tags kube ./server/suite -run 'TestServer//update/' -record
//
// A difference of apitest that is known gets "differs apitest: reason" by hand below the
// real answer, and
//
//	go test ./server/suite -run 'TestApitest//update/' -record
//
// writes what stands below such lines. A difference that is not listed fails the test, and
// so does one that is listed and is none. A case none of whose answers is recorded is a
// draft: it runs, but proves nothing.
//
// # Limits
//
// Servers answer some requests from memory that is behind what is stored: gets, lists and
// watches at a resource version. Before those, the runner asks for the newest state, which
// makes memory catch up.
//
// A case has three minutes ([Limit]), and a step that waits for events one. A step that waits for events gets a failure that shows those that
// came. "Until" asks again every few milliseconds: it is for servers that work in the
// background, and apitest must satisfy it the first time.
package suite
