package portforward

import (
	"fmt"
	"testing"
)

// FuzzPorts parses what it has parsed once more, from its normal form.
func FuzzPorts(f *testing.F) {
	for _, seed := range []string{"5000", "8888:5000", ":80", "0:80", "65535:1", "1:2:3", "", ":", "-1", "+1", "０"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ports, err := parsePorts([]string{text})
		if err != nil {
			if len(ports) > 0 {
				t.Errorf("ports %v with %v", ports, err)
			}
			return
		}
		if len(ports) != 1 || ports[0].Remote == 0 {
			t.Fatalf("parsed %v", ports)
		}
		again, err := parsePorts([]string{fmt.Sprintf("%d:%d", ports[0].Local, ports[0].Remote)})
		if err != nil || again[0] != ports[0] {
			t.Errorf("parsed %v, then %v, %v", ports, again, err)
		}
	})
}

func TestAddresses(t *testing.T) {
	tests := []struct {
		name  string
		texts []string
		want  string
	}{
		{"localhost", []string{"localhost"}, "[{127.0.0.1 tcp4 true} {::1 tcp6 true}]"},
		{"an IP before localhost", []string{"::1", "localhost"}, "[{127.0.0.1 tcp4 true} {::1 tcp6 false}]"},
		{"an IP after localhost", []string{"localhost", "127.0.0.1"}, "[{127.0.0.1 tcp4 false} {::1 tcp6 true}]"},
		{"IPs in order, once", []string{"10.0.0.2", "10.0.0.1", "10.0.0.2"}, "[{10.0.0.1 tcp4 false} {10.0.0.2 tcp4 false}]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseAddresses(test.texts)
			if err != nil || fmt.Sprint(got) != test.want {
				t.Errorf("got %v, %v, want %s", got, err, test.want)
			}
		})
	}
}
