package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	theirrest "k8s.io/client-go/rest"
	theirtransport "k8s.io/client-go/transport"
	theirflowcontrol "k8s.io/client-go/util/flowcontrol"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/transport"
)

// impossible are the fields of one config that the other cannot have, with the reason.
var impossible = map[string]string{}

var (
	errDial    = errors.New("dial")
	errProxy   = errors.New("proxy")
	errPersist = errors.New("persist")
	errTrip    = errors.New("round trip")
)

type persister struct{}

func (persister) Persist(map[string]string) error { return errPersist }

type tripper struct{}

func (tripper) RoundTrip(*http.Request) (*http.Response, error) { return nil, errTrip }

type warnings struct{}

func (warnings) HandleWarningHeader(int, string, string)                             {}
func (warnings) HandleWarningHeaderWithContext(context.Context, int, string, string) {}

// given are values of the types that fill cannot make up.
var given = []any{
	persister{}, tripper{}, warnings{},
	flowcontrol.NewFakeAlwaysRateLimiter(),
	serializer.NewCodecFactory(runtime.NewScheme()),
	&runtime.Unknown{Raw: []byte("{}")},
	func(http.RoundTripper) http.RoundTripper { return tripper{} },
	func(context.Context, string, string) (net.Conn, error) { return nil, errDial },
	func(*http.Request) (*url.URL, error) { return nil, errProxy },
}

// fill sets every field to a value that is not zero, and differs from that of other fields
// where it can.
func fill(t *testing.T, path string, v reflect.Value, next *int) {
	t.Helper()
	*next++
	for _, g := range given {
		value := reflect.ValueOf(g)
		if v.Kind() == reflect.Interface && value.Type().Implements(v.Type()) {
			v.Set(value)
			return
		}
		if v.Kind() == reflect.Func && value.Kind() == reflect.Func && value.Type().ConvertibleTo(v.Type()) {
			v.Set(value.Convert(v.Type()))
			return
		}
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s-%d", path, *next))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*next))
	case reflect.Uint8:
		v.SetUint(uint64(*next % 256))
	case reflect.Float32:
		v.SetFloat(float64(*next))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, path, v.Elem(), next)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(t, path, v.Index(i), next)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, path, key, next)
		fill(t, path, value, next)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, path+"."+v.Type().Field(i).Name, v.Field(i), next)
		}
	default:
		t.Fatalf("%s: the test cannot make a %s", path, v.Type())
	}
}

// same compares two values of the two modules, field by field by name.
func same(t *testing.T, path string, a, b reflect.Value) {
	t.Helper()
	if impossible[path] != "" {
		return
	}
	if a.Kind() != b.Kind() {
		t.Errorf("%s: a %s and a %s", path, a.Type(), b.Type())
		return
	}
	switch a.Kind() {
	case reflect.Struct:
		names := map[string]bool{}
		for _, v := range []reflect.Value{a, b} {
			for i := range v.NumField() {
				names[v.Type().Field(i).Name] = true
			}
		}
		for name := range names {
			x, y := a.FieldByName(name), b.FieldByName(name)
			if !x.IsValid() || !y.IsValid() {
				if impossible[path+"."+name] == "" {
					t.Errorf("%s.%s: only one side has it, and it is not named as impossible", path, name)
				}
				continue
			}
			same(t, path+"."+name, x, y)
		}
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			t.Errorf("%s: nil", path)
			return
		}
		if a.Pointer() == b.Pointer() {
			t.Errorf("%s: both sides share what it points to", path)
		}
		same(t, path, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() || a.Len() == 0 {
			t.Errorf("%s: %d and %d elements", path, a.Len(), b.Len())
			return
		}
		if a.Pointer() == b.Pointer() {
			t.Errorf("%s: both sides share the elements", path)
		}
		for i := range a.Len() {
			same(t, fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
		}
	case reflect.Map:
		if a.Len() != b.Len() || a.Len() == 0 {
			t.Errorf("%s: %d and %d entries", path, a.Len(), b.Len())
			return
		}
		if a.Pointer() == b.Pointer() {
			t.Errorf("%s: both sides share the entries", path)
		}
		for _, key := range a.MapKeys() {
			same(t, fmt.Sprintf("%s[%s]", path, key), a.MapIndex(key), b.MapIndex(key))
		}
	case reflect.Func:
		if a.Pointer() != b.Pointer() || a.IsNil() {
			t.Errorf("%s: another function", path)
		}
	case reflect.Interface:
		if a.IsNil() || !reflect.DeepEqual(a.Interface(), b.Interface()) {
			t.Errorf("%s: %v and %v", path, a, b)
		}
	default:
		if a.IsZero() || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s: %v and %v", path, a, b)
		}
	}
}

// Every field is converted in both directions, or named as impossible: a new one fails here.
func TestConfigFields(t *testing.T) {
	t.Run("from", func(t *testing.T) {
		var theirs theirrest.Config
		fill(t, "Config", reflect.ValueOf(&theirs).Elem(), new(int))
		same(t, "Config", reflect.ValueOf(theirs), reflect.ValueOf(*clientgo.FromConfig(&theirs)))
	})
	t.Run("to", func(t *testing.T) {
		var ours rest.Config
		fill(t, "Config", reflect.ValueOf(&ours).Elem(), new(int))
		same(t, "Config", reflect.ValueOf(ours), reflect.ValueOf(*clientgo.ToConfig(&ours)))
	})
	for field := range impossible {
		if !strings.HasPrefix(field, "Config.") {
			t.Errorf("%s is not a field of Config", field)
		}
	}
}

func TestConfigNil(t *testing.T) {
	if clientgo.ToConfig(nil) != nil || clientgo.FromConfig(nil) != nil {
		t.Error("nil is converted to something")
	}
	ours, theirs := clientgo.FromConfig(&theirrest.Config{}), clientgo.ToConfig(&rest.Config{})
	if ours.ExecProvider != nil || ours.AuthProvider != nil || theirs.ExecProvider != nil || theirs.AuthProvider != nil {
		t.Error("a provider where there was none")
	}
}

// Clients send as many requests after the conversion as before.
func TestConfigLimits(t *testing.T) {
	limiter := theirflowcontrol.NewFakeAlwaysRateLimiter()
	for _, tt := range []struct {
		name   string
		theirs theirrest.Config
		qps    float32
		burst  int
	}{
		{"client-go's defaults", theirrest.Config{}, 5, 10},
		{"a burst alone", theirrest.Config{Burst: 30}, 5, 30},
		{"a rate alone", theirrest.Config{QPS: 50}, 50, 10},
		{"both", theirrest.Config{QPS: 50, Burst: 100}, 50, 100},
		{"none", theirrest.Config{QPS: -1, Burst: 100}, -1, 0},
		{"a limiter", theirrest.Config{Burst: 7, RateLimiter: limiter}, 0, 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ours := clientgo.FromConfig(&tt.theirs)
			if ours.QPS != tt.qps || ours.Burst != tt.burst {
				t.Errorf("QPS %v and Burst %d, want %v and %d", ours.QPS, ours.Burst, tt.qps, tt.burst)
			}
			ours.GroupVersion, ours.NegotiatedSerializer = nil, nil
			if _, err := rest.HTTPClientFor(ours); err != nil {
				t.Errorf("the config is not valid: %v", err)
			}
		})
	}
	for qps, want := range map[float32]float32{0: -1, -1: -1, 20: 20} {
		if theirs := clientgo.ToConfig(&rest.Config{QPS: qps}); theirs.QPS != want {
			t.Errorf("ours %v: theirs %v, want %v", qps, theirs.QPS, want)
		}
	}
}

// Wrappers stay nil if they are: a wrapper that is nil must not become one that is not.
func TestConfigWrapper(t *testing.T) {
	if clientgo.ToConfig(&rest.Config{}).WrapTransport != nil || clientgo.FromConfig(&theirrest.Config{}).WrapTransport != nil {
		t.Error("a wrapper where there was none")
	}
	order := ""
	wrap := func(name string) func(http.RoundTripper) http.RoundTripper {
		return func(rt http.RoundTripper) http.RoundTripper { order += name; return rt }
	}
	ours := &rest.Config{WrapTransport: transport.WrapperFunc(wrap("a"))}
	theirs := clientgo.ToConfig(ours)
	theirs.Wrap(theirtransport.WrapperFunc(wrap("b")))
	again := clientgo.FromConfig(theirs)
	again.Wrap(wrap("c"))
	again.WrapTransport(tripper{})
	if order != "abc" {
		t.Errorf("wrappers called in order %q, want abc", order)
	}
}

// Printing a converted config reveals no credentials.
func TestConfigPrinted(t *testing.T) {
	ours := clientgo.FromConfig(&theirrest.Config{BearerToken: "s3cret", Password: "s3cret"})
	theirs := clientgo.ToConfig(ours)
	for _, text := range []string{fmt.Sprintf("%v %+v %#v", ours, ours, ours), fmt.Sprintf("%v %s", theirs, theirs)} {
		if strings.Contains(text, "s3cret") {
			t.Errorf("a credential in %s", text)
		}
	}
}
