// Package rest talks with a Kubernetes API server over HTTP, in objects.
//
// A [Config] says where the server is and who the client is. An HTTP client is made of it by [HTTPClientFor], and
// with that a [RESTClient] for one group and version of the API by [RESTClientFor]. The RESTClient begins
// requests: a [Request] is built by calls in a chain, is sent by its last call, and gives a [Result],
// an object, bytes or events.
//
//	err := client.Get().Namespace("ns").Resource("gadgets").Name("one").DoInto(ctx, &gadget)
//
// # Sending
//
// [Request.Do] reads the answer whole; [Request.DoInto] and [Request.StreamList] decode it while it comes in,
// where the client's serializer is one of package codec; [Request.DoRaw] and [Request.Stream] give its bytes,
// [Request.Watch] its events.
//
// A request is repeated, up to 10 times, when the server answers 429 or 5xx with a Retry-After header, after
// the seconds or at the date in it; and a GET or a watch when the connection is lost, after a second. Waits are a
// minute at most and 20 ms at least, doubling up to a second; each is longer by chance, by up to a fifth. Who is
// more patient uses [LeaveRetryAfter]. The context ends all waits. A client limits itself only where its config
// asks for it; otherwise it is for the server to do.
//
// # Errors
//
// What the server says is an *errors.StatusError of apimachinery, made from the Status in the answer or else
// from its status code and the beginning of its text. What the connection does is the error of net/http where
// there is no answer, and a [BodyError] where the answer breaks off. A [ContentTypeError] is an answer in
// another format, a [BodyTooLargeError] one object of more than 128 MiB, an item of that size in a list that is
// decoded while it comes in, or what [Request.LimitBody] forbids, and a *codec.Error an answer that could
// not be decoded: it says which object, and where in it.
//
// # Credentials
//
// The fields of a [Config], [TLSClientConfig] and [ImpersonationConfig] are plain, as client-go's are. Their methods
// print and encode them without password, token, key, values of Extra, and what plugins are given. Hidden are
// they, by value and by pointer, from
//
//   - fmt, with every verb but %p and %w, as operands and in exported fields, slices and maps;
//   - log/slog, logr and klog, and panic;
//   - encoding/json, encoding/xml and encoders to YAML and others that know encoding.TextMarshaler, which get a text
//     that cannot be read back; encoding/gob, which gets an error.
//
// A program that reads the fields calls no methods, and prints what is in them:
//
//   - fmt, and loggers by it, of another struct that holds a value in an unexported field; with %s, %q and %x also
//     of one that holds a pointer there;
//   - cmp.Diff, testify's assertions where they fail, spew with DisableMethods, k8s.io/utils/dump, and debuggers;
//   - fmt of a type that is defined by one of these (type T rest.ImpersonationConfig), and so has none of its methods;
//   - encoders to JSON or YAML of the types of package clientcmd/api: these are data that kubeconfigs are written of.
//
// So do not log structs that hold a config, but what of it is to be known; in tests, compare the fields that matter.
// Package transport's types are the same in all of this.
//
// # Limits
//
// Answers that are lists or are read as bytes are bounded, as a whole, by [Request.LimitBody] only. Errors are read up to 4 MiB, and quote up to 2
// KiB of text. Bodies are never logged, at no verbosity; URLs are logged without what may be secret in them.
// CBOR is not spoken: who asks for it gets JSON.
package rest
