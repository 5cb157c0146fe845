package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// driveRaw sends requests with a group's REST client, as programs do for operations that typed
// clients lack: first all ways to set up a request, then all uses of a response.
func (t Tree) driveRaw(r *Recorder) error {
	server := newRecordingServer()
	defer server.Close()
	k, warnings, err := t.answered(server)
	if err != nil || k.object == nil {
		return err
	}
	clientset, err := t.Client(Config(server.URL))
	if err != nil {
		return err
	}
	groups, err := t.groups(clientset, space)
	if err != nil {
		return err
	}
	var client rest.Interface
	for _, g := range groups {
		if g.name == k.group {
			client = g.client.MethodByName("RESTClient").Call(nil)[0].Interface().(rest.Interface)
		}
	}
	forms, err := t.formsOf(k)
	if err != nil {
		return err
	}
	fine := reply{status: http.StatusOK, body: text(forms.object)}
	for _, m := range t.makes(forms.object) {
		server.expect(fine)
		c := transcript.Call{Name: "raw request " + m.name}
		send(&c, m.make(client))
		c.Events = append(c.Events, warnings.taken()...)
		c.Requests = server.seen()
		r.Record(c)
	}
	answers := append(forms.media(), append(refusals(), forms.successes()...)...)
	for _, a := range answers {
		for _, use := range uses {
			server.expect(a.replies...)
			c := transcript.Call{Name: "raw " + use.name + " " + a.name}
			use.of(&c, client.Get().Resource("things").Name(name), forms.object.DeepCopyObject())
			c.Requests = server.seen()
			r.Record(c)
		}
	}
	return nil
}

// makeOf is one way to set up a request.
type makeOf struct {
	name string
	make func(rest.Interface) *rest.Request
}

func (t Tree) makes(object runtime.Object) []makeOf {
	list := &metav1.ListOptions{LabelSelector: "a=b", Limit: 3, AllowWatchBookmarks: true}
	parameters := runtime.NewParameterCodec(t.Scheme)
	v1 := schema.GroupVersion{Version: "v1"}
	return []makeOf{
		{"bare", func(c rest.Interface) *rest.Request { return c.Get() }},
		{"POST", func(c rest.Interface) *rest.Request { return c.Post().Resource("things") }},
		{"PUT", func(c rest.Interface) *rest.Request { return c.Put().Resource("things").Name("a") }},
		{"DELETE", func(c rest.Interface) *rest.Request { return c.Delete().Resource("things").Name("a") }},
		{"PATCH", func(c rest.Interface) *rest.Request {
			return c.Patch(types.MergePatchType).Resource("things").Name("a")
		}},
		{"OPTIONS", func(c rest.Interface) *rest.Request { return c.Verb("OPTIONS").Resource("things") }},
		{"an invalid verb", func(c rest.Interface) *rest.Request { return c.Verb("a b") }},
		{"an absolute path", func(c rest.Interface) *rest.Request { return c.Get().AbsPath("/a", "b/", "c") }},
		{"an absolute path with a slash behind", func(c rest.Interface) *rest.Request { return c.Get().AbsPath("/a/") }},
		{"a root path", func(c rest.Interface) *rest.Request { return c.Get().AbsPath("/") }},
		{"an empty path", func(c rest.Interface) *rest.Request { return c.Get().AbsPath("") }},
		{"a path that must be escaped", func(c rest.Interface) *rest.Request { return c.Get().AbsPath("/a b/c?d%2F#e") }},
		{"a path with a parent directory", func(c rest.Interface) *rest.Request { return c.Get().AbsPath("/a/../b", "..", "c") }},
		{"an absolute path and a resource", func(c rest.Interface) *rest.Request { return c.Get().AbsPath("/a").Resource("things").Name("n") }},
		{"a prefix and a suffix", func(c rest.Interface) *rest.Request {
			return c.Get().Prefix("p", "q").Suffix("s", "/t/").Resource("things").Namespace("n").Name("x")
		}},
		{"subresources", func(c rest.Interface) *rest.Request {
			return c.Get().Resource("things").Name("x").SubResource("a", "b")
		}},
		{"subresources twice", func(c rest.Interface) *rest.Request {
			return c.Get().Resource("things").SubResource("a").SubResource("b")
		}},
		{"a broken subresource", func(c rest.Interface) *rest.Request { return c.Get().Resource("things").SubResource("a/b") }},
		{"a resource twice", func(c rest.Interface) *rest.Request { return c.Get().Resource("a").Resource("b") }},
		{"a broken resource", func(c rest.Interface) *rest.Request { return c.Get().Resource("a%b") }},
		{"a name twice", func(c rest.Interface) *rest.Request { return c.Get().Resource("a").Name("b").Name("c") }},
		{"an empty name", func(c rest.Interface) *rest.Request { return c.Get().Resource("a").Name("") }},
		{"a broken name", func(c rest.Interface) *rest.Request { return c.Get().Resource("a").Name("..") }},
		{"a name with a slash", func(c rest.Interface) *rest.Request { return c.Get().Resource("a").Name("b/c") }},
		{"a name to be escaped", func(c rest.Interface) *rest.Request { return c.Get().Resource("a").Name("b c?d:e") }},
		{"a name without a resource", func(c rest.Interface) *rest.Request { return c.Get().Name("b") }},
		{"a namespace twice", func(c rest.Interface) *rest.Request { return c.Get().Namespace("a").Namespace("b") }},
		{"a broken namespace", func(c rest.Interface) *rest.Request { return c.Get().Namespace("a/b").Resource("things") }},
		{"an empty namespace", func(c rest.Interface) *rest.Request { return c.Get().Namespace("").Resource("things").Name("b") }},
		{"a namespace to create in that is empty", func(c rest.Interface) *rest.Request { return c.Post().Namespace("").Resource("things") }},
		{"a namespace if scoped", func(c rest.Interface) *rest.Request {
			return c.Get().NamespaceIfScoped("a", false).NamespaceIfScoped("b", true).Resource("things")
		}},
		{"a URI", func(c rest.Interface) *rest.Request { return c.Get().Param("z", "1").RequestURI("/a/b?c=d&c=e&f") }},
		{"an invalid URI", func(c rest.Interface) *rest.Request { return c.Get().RequestURI("%") }},
		{"parameters", func(c rest.Interface) *rest.Request { return c.Get().Param("a", "b c").Param("a", "&").Param("b", "") }},
		{"options", func(c rest.Interface) *rest.Request { return c.Get().VersionedParams(list, parameters) }},
		{"options of another version", func(c rest.Interface) *rest.Request {
			return c.Get().SpecificallyVersionedParams(list, parameters, v1)
		}},
		{"options without a form", func(c rest.Interface) *rest.Request {
			return c.Get().SpecificallyVersionedParams(list, parameters, schema.GroupVersion{Group: "no.such", Version: "v9"})
		}},
		{"a time limit", func(c rest.Interface) *rest.Request { return c.Get().Timeout(90 * time.Second) }},
		{"a header", func(c rest.Interface) *rest.Request {
			return c.Get().SetHeader("X-A", "1", "2").SetHeader("Accept", "text/plain").SetHeader("X-B")
		}},
		{"bytes", func(c rest.Interface) *rest.Request { return c.Post().Body([]byte("bytes")) }},
		{"no bytes", func(c rest.Interface) *rest.Request { return c.Post().Body([]byte{}) }},
		{"a reader", func(c rest.Interface) *rest.Request { return c.Post().Body(strings.NewReader("read")) }},
		{"a stream", func(c rest.Interface) *rest.Request {
			return c.Post().Body(io.LimitReader(strings.NewReader("streamed"), 5))
		}},
		{"a file that is not there", func(c rest.Interface) *rest.Request { return c.Post().Body("/no/such/file") }},
		{"an object", func(c rest.Interface) *rest.Request { return c.Post().Body(object.DeepCopyObject()) }},
		{"an object in protobuf", func(c rest.Interface) *rest.Request {
			return c.Post().UseProtobufAsDefault().Body(object.DeepCopyObject())
		}},
		{"an object of a type that is set", func(c rest.Interface) *rest.Request {
			return c.Post().SetHeader("Content-Type", "application/yaml").Body(object.DeepCopyObject())
		}},
		{"options as the body", func(c rest.Interface) *rest.Request {
			return c.Delete().Body(&metav1.DeleteOptions{GracePeriodSeconds: new(int64(1))})
		}},
		{"an object that is nil", func(c rest.Interface) *rest.Request { return c.Post().Body((*metav1.DeleteOptions)(nil)) }},
		{"a status as the body", func(c rest.Interface) *rest.Request { return c.Post().Body(&metav1.Status{}) }},
		{"a body of no form", func(c rest.Interface) *rest.Request { return c.Post().Body(5) }},
		{"two bodies", func(c rest.Interface) *rest.Request { return c.Post().Body([]byte("one")).Body([]byte("two")) }},
		{"two mistakes", func(c rest.Interface) *rest.Request { return c.Get().Name("").Resource("a%b").Body(5) }},
	}
}

// send records a request's URL and sends it.
func send(c *transcript.Call, r *rest.Request) {
	defer Recovered(c)
	if u := r.URL(); u != nil {
		c.Events = append(c.Events, "URL path "+u.EscapedPath(), "URL query "+u.RawQuery)
	}
	body, err := r.Do(context.Background()).Raw()
	c.Result = string(body)
	Fail(c, err)
}

// useOf is a way to send a request and use its response.
type useOf struct {
	name string
	of   func(*transcript.Call, *rest.Request, runtime.Object)
}

var uses = []useOf{
	{"Do", func(c *transcript.Call, r *rest.Request, into runtime.Object) {
		var status int
		var contentType string
		var created bool
		result := r.Do(context.Background()).StatusCode(&status).ContentType(&contentType).WasCreated(&created)
		c.Events = append(c.Events, fmt.Sprintf("%d %q created=%v", status, contentType, created))
		for _, w := range result.Warnings() {
			c.Events = append(c.Events, fmt.Sprintf("warning %+v", w))
		}
		Fail(c, result.Error())
		body, err := result.Raw()
		c.Events = append(c.Events, noted("Raw", fmt.Sprintf("%q", body), err))
		object, err := result.Get()
		c.Events = append(c.Events, noted("Get", fmt.Sprintf("%T %s", object, text(object)), err))
		err = result.Into(into)
		c.Events = append(c.Events, noted("Into", text(into), err))
	}},
	{"DoRaw", func(c *transcript.Call, r *rest.Request, _ runtime.Object) {
		body, err := r.DoRaw(context.Background())
		c.Result = fmt.Sprintf("%q", body)
		Fail(c, err)
	}},
	{"Stream", func(c *transcript.Call, r *rest.Request, _ runtime.Object) {
		body, err := r.Stream(context.Background())
		if err != nil {
			Fail(c, err)
			return
		}
		data, err := io.ReadAll(body)
		c.Result = fmt.Sprintf("%q", data)
		Fail(c, errors.Join(err, body.Close()))
	}},
	{"Watch", func(c *transcript.Call, r *rest.Request, _ runtime.Object) {
		w, err := r.Watch(context.Background())
		if err != nil {
			Fail(c, err)
			return
		}
		defer w.Stop()
		for e := range w.ResultChan() {
			c.Events = append(c.Events, string(e.Type)+" "+text(e.Object))
		}
	}},
}

// noted describes the result of one of several methods: its value, or the type of its error.
func noted(method, result string, err error) string {
	if err != nil {
		return method + " fails: " + failure(err)
	}
	return method + " " + result
}
