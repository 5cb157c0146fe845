// Package rest is an HTTP client for the Kubernetes API.
//
// A [Config] describes the server and the client's identity. [HTTPClientFor] creates an HTTP client from it,
// and [RESTClientFor] a [RESTClient] for one group and version of the API. The methods of a RESTClient create
// requests: a [Request] is built by chained calls, and its last call sends it and returns a [Result], an
// object, bytes or events.
//
//	err := client.Get().Namespace("default").Resource("books").Name("emma").DoInto(ctx, &book)
//
// # Sending
//
// [Request.Do] reads the whole response. [Request.DoInto] and [Request.StreamList] decode it while it arrives
// if the client's serializer comes from package codec. [Request.DoRaw] and [Request.Stream] return its bytes,
// [Request.Watch] its events.
//
// A request is retried up to 10 times when the server responds with 429 or 5xx and a Retry-After header, after
// the seconds or at the date in the header. A GET or a watch is also retried when the connection is lost, after
// a second. Waits are at least 20 ms, doubling up to a second, and at most a minute; up to a fifth of random
// jitter is added to each. To wait longer, use [WithoutRetryAfter]. The context ends all waits. A client limits
// its own rate only if its config says so; otherwise the server does.
//
// # Errors
//
// An error from the server is an *errors.StatusError of apimachinery, created from the Status in the response,
// or otherwise from the status code and the beginning of the text. A connection error is the error of net/http
// if there was no response, and a [BodyError] if the response broke off. [ContentTypeError] reports a response
// in another format. [BodyTooLargeError] reports an object of more than 128 MiB, an item of that size in a list
// that is decoded while it arrives, or a response larger than [Request.LimitBody] allows. A *codec.Error
// reports a response that could not be decoded, with the object and the position in it, unless the config has a
// serializer of another package: then the error is that serializer's.
//
// # Serializers
//
// Responses are decoded as the serializer of the config decodes them. If it is known to decode as apimachinery's does,
// a faster decoder with the same results takes its place: see [codec.Recognize]. All others are called for each object.
//
// # Credentials
//
// The fields of a [Config], [TLSClientConfig] and [ImpersonationConfig] are plain, as client-go's are. Their
// methods print and encode them without password, token, key, values of Extra, and the configuration of
// plugins. By value and by pointer, they hide these from
//
//   - fmt, with every verb except %p and %w, as operands and in exported fields, slices and maps;
//   - log/slog, logr and klog, and panic;
//   - encoding/json, encoding/xml, and encoders to YAML and other formats that use encoding.TextMarshaler,
//     which get a text that cannot be read back; encoding/gob, which gets an error.
//
// A program that reads the fields instead of calling methods prints their content:
//
//   - fmt, and loggers that use it, for another struct that contains a value in an unexported field; with %s,
//     %q and %x also for one that contains a pointer there;
//   - cmp.Diff, testify's assertions when they fail, spew with DisableMethods, k8s.io/utils/dump, and
//     debuggers;
//   - fmt for a type that is defined by one of these (type T rest.ImpersonationConfig), which has none of its
//     methods;
//   - encoders to JSON or YAML of the types of package clientcmd/api: kubeconfigs are written from these.
//
// So do not log structs that contain a config, but the parts of it that you need; in tests, compare the fields
// that matter. All of this applies to package transport's types too.
//
// # Limits
//
// Lists and responses that are read as bytes are bounded as a whole only by [Request.LimitBody]. Error
// responses are read up to 4 MiB; errors quote up to 2 KiB of text. Bodies are never logged at any verbosity;
// URLs are logged without parts that may be secret. CBOR is not supported: requests for it get JSON.
package rest
