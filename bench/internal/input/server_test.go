package input

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
)

// get returns a server's response, over a network and without.
func get(t *testing.T, s Server, path string) string {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	var answers [2]string
	for i, client := range []*http.Client{server.Client(), {Transport: s}} {
		response, err := client.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(iotest.OneByteReader(response.Body))
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatal(response.Status, err)
		}
		answers[i] = string(data)
	}
	if answers[0] != answers[1] {
		t.Errorf("the response to %s is\n%s\nover a network, and without\n%s", path, answers[0], answers[1])
	}
	return answers[0]
}

func TestServer(t *testing.T) {
	bodies, err := NewBodies(2)
	if err != nil {
		t.Fatal(err)
	}
	s := Server{bodies}
	const resource = "/apis/fleet.example.com/v1/namespaces/production/machines"

	var object v1.Machine
	decode(t, get(t, s, resource+"/"+Name(1)), &object)
	if object.Name != Name(1) {
		t.Errorf("got object %s, want %s", object.Name, Name(1))
	}

	for n, want := range map[string][]string{
		"1": {Name(0)},
		"3": {Name(0), Name(1), Name(0)},
	} {
		var list v1.MachineList
		decode(t, get(t, s, resource+"?limit="+n), &list)
		var names []string
		for _, m := range list.Items {
			names = append(names, m.Name)
		}
		if !reflect.DeepEqual(names, want) || list.Kind != "MachineList" {
			t.Errorf("got %s of %q, want %q", list.Kind, names, want)
		}

		names = nil
		for line := range strings.Lines(get(t, s, resource+"?watch=true&limit="+n)) {
			var event metav1.WatchEvent
			var object v1.Machine
			decode(t, line, &event)
			decode(t, string(event.Object.Raw), &object)
			names = append(names, object.Name)
			if event.Type != "MODIFIED" {
				t.Errorf("got an event of type %q", event.Type)
			}
		}
		if !reflect.DeepEqual(names, want) {
			t.Errorf("got events of %q, want %q", names, want)
		}
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}
