package drive

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// driveClient calls each method of each kind against a recording server.
func (t Tree) driveClient(r *Recorder) error {
	server := newRecordingServer()
	defer server.Close()
	clientset, err := t.Client(Config(server.URL))
	if err != nil {
		return err
	}
	server.expect(reply{status: http.StatusOK, body: text(version.Info{Major: "1", Minor: "37"})})
	r.Record(discover(clientset, func(c *transcript.Call) {
		c.Name, c.Requests = "client Discovery.ServerVersion", server.seen()
	}))
	for _, namespace := range []string{space, metav1.NamespaceAll} {
		groups, err := t.groups(clientset, namespace)
		if err != nil {
			return err
		}
		for _, g := range groups {
			if namespace == space {
				r.Record(transcript.Call{Name: "client " + g.name + ".RESTClient", Result: apiVersion(g)})
			}
			for _, k := range g.kinds {
				if err := t.driveKind(r, server, k, namespace); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// driveKind calls each method of a kind. Cluster-scoped kinds are driven once, and namespaced ones
// in all shapes only in one namespace.
func (t Tree) driveKind(r *Recorder, server *recordingServer, k kind, namespace string) error {
	for _, m := range k.methods {
		for _, s := range shapesFor(m) {
			c := transcript.Call{Name: fmt.Sprintf("client %v.%s %s", k, m.Name, s.name)}
			if namespace == metav1.NamespaceAll {
				if s.name != "plain" {
					continue
				}
				c.Name += " in no namespace"
			}
			answer, err := t.reply(k, m, s)
			if err != nil {
				return err
			}
			server.expect(answer)
			if err := call(&c, k, m, s, true); err != nil {
				return err
			}
			c.Requests = server.seen()
			r.Record(c)
		}
	}
	return nil
}

// discover requests the server's version from a clientset.
func discover(clientset any, finish func(*transcript.Call)) transcript.Call {
	var c transcript.Call
	discovery := reflect.ValueOf(clientset).MethodByName("Discovery").Call(nil)[0].Interface()
	info, err := discovery.(interface {
		ServerVersion() (*version.Info, error)
	}).ServerVersion()
	c.Result = text(info)
	if err != nil {
		c.Error = err.Error()
	}
	finish(&c)
	return c
}

// apiVersion returns the group and version for which a group's RESTClient is configured.
func apiVersion(g group) string {
	client := g.client.MethodByName("RESTClient").Call(nil)[0]
	return client.Interface().(interface{ APIVersion() schema.GroupVersion }).APIVersion().String()
}

// reply returns the server's response to a call.
func (t Tree) reply(k kind, m reflect.Method, s shape) (reply, error) {
	if s.refused {
		return reply{status: http.StatusConflict, body: text(metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
			Status:   metav1.StatusFailure, Reason: metav1.StatusReasonConflict,
			Message: "the server does not want to", Code: http.StatusConflict,
		})}, nil
	}
	if m.Type.NumOut() == 1 {
		return reply{status: http.StatusOK, body: text(metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess,
		})}, nil
	}
	result := m.Type.Out(0)
	if result == reflect.TypeFor[watch.Interface]() {
		body, err := t.watchReply(k)
		return reply{status: http.StatusOK, body: body}, err
	}
	object, err := t.newObject(result, k.namespace, "served", "42")
	if err != nil {
		return reply{}, err
	}
	if item := itemOf(result); item != nil {
		return t.listReply(k, object, item)
	}
	return reply{status: http.StatusOK, body: text(object)}, nil
}

// listReply is a list of one object, with more to come.
func (t Tree) listReply(k kind, list runtime.Object, item reflect.Type) (reply, error) {
	object, err := t.newObject(item, k.namespace, "served", "41")
	if err != nil {
		return reply{}, err
	}
	gvk := list.GetObjectKind().GroupVersionKind()
	return reply{status: http.StatusOK, body: text(map[string]any{
		"kind": gvk.Kind, "apiVersion": gvk.GroupVersion().String(),
		"metadata": metav1.ListMeta{ResourceVersion: "42", Continue: "more", RemainingItemCount: new(int64(3))},
		"items":    []any{object},
	})}, nil
}

// watchReply is a stream of one event of each type.
func (t Tree) watchReply(k kind) (string, error) {
	if k.object == nil {
		return "", nil
	}
	var events []string
	for i, e := range []watch.EventType{watch.Added, watch.Modified, watch.Bookmark, watch.Deleted} {
		object, err := t.newObject(k.object, k.namespace, "served", string('1'+rune(i)))
		if err != nil {
			return "", err
		}
		events = append(events, text(map[string]any{"type": e, "object": object}))
	}
	gone := metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Reason: metav1.StatusReasonExpired, Code: http.StatusGone,
	}
	events = append(events, text(map[string]any{"type": watch.Error, "object": gone}))
	return strings.Join(events, "\n"), nil
}
