package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/internal/contest"
	"github.com/listwatch/listwatch/bench/internal/input"
)

// work is the work behind one or more rows of the table.
type work struct {
	// name is its name in the table.
	name string
	// objects is the number of objects that a measured run decodes, warmUp the number before
	// it.
	objects, warmUp int
	// rows are the reported figures of a run.
	rows []contest.Row
	// typeDiffers is set if TypeMeta is not compared: one contender uses a list, which
	// retains it, the other a watch, which does not.
	typeDiffers bool
	// start prepares a contender.
	start func(c *contender, in inputs) (run, error)
}

// run decodes n objects and calls see for each. Its result counts as live memory.
type run func(n int, see func(runtime.Object)) (any, error)

// inputs are the inputs of works.
type inputs struct {
	// server contains the responses in memory.
	server input.Server
	// url is the address of another process with the same responses over HTTP.
	url string
}

// contested converts works to those of package contest.
func contested(works []work) []contest.Work {
	var all []contest.Work
	for _, w := range works {
		all = append(all, contest.Work{
			Name: w.name, Objects: w.objects, WarmUp: w.warmUp, Rows: w.rows,
			Start: func(contender int, env contest.Env) (contest.Run, error) {
				in, err := newInputs(env.URL)
				if err != nil {
					return nil, err
				}
				run, err := w.start(contenders[contender], in)
				return func(n int, o *contest.Observer) (any, error) {
					return run(n, func(object runtime.Object) { o.See(object.(metav1.Object)) })
				}, err
			},
		})
	}
	return all
}

func newInputs(url string) (inputs, error) {
	bodies, err := input.NewBodies(prepared)
	return inputs{server: input.Server{Bodies: bodies}, url: url}, err
}

const (
	// prepared is the number of different objects in works without a server: too many to be cached
	// from one repetition to the next.
	prepared = 2_000
	// listed is the number of objects in a list in works without a server.
	listed = 500
	// many is the number of objects in a large cluster.
	many = 50_000
)

// works are the benchmarks. Unless their name contains Pod, they use the custom resource in JSON.
var works = []work{
	{name: "decode an object", objects: 5_000, warmUp: 500, rows: eachObject, start: decodeObjects},
	{name: "decode a list, off a reader", objects: 5_000, warmUp: 500, rows: eachObject, start: decodeLists},
	{name: "decode a list, off a reader, into pointers", objects: 5_000, warmUp: 500, rows: eachObject, start: decodeItems},
	{name: "decode a watch stream", objects: 5_000, warmUp: 500, rows: []contest.Row{contest.CPUEach.With("20x").Main(), contest.BytesEach.With("3x"), contest.AllocsEach}, start: decodeEvents},
	{name: "decode a Pod, JSON", objects: 5_000, warmUp: 500, rows: eachObject, start: decodePods(runtime.ContentTypeJSON)},
	{name: "decode a Pod, protobuf", objects: 50_000, warmUp: 500, rows: []contest.Row{contest.CPUEach.With("1.8x"), contest.BytesEach, contest.AllocsEach}, start: decodePods(runtime.ContentTypeProtobuf)},
	{name: "decode a list of Pods, protobuf, into pointers", objects: 50_000, warmUp: 500, rows: eachObject, start: decodePodItems},
	{name: "decode a watch of Pods, protobuf", objects: many, warmUp: 500, rows: eachObject, start: decodePodEvents},
	{name: "get, answered in memory", objects: 5_000, warmUp: 500, rows: eachObject, start: inMemory(getObjects)},
	{name: "watch, answered in memory", objects: 5_000, warmUp: 500, rows: eachObject, start: inMemory(watchObjects)},
	{name: "watch for a cache, answered in memory", objects: 5_000, warmUp: 500, rows: []contest.Row{contest.CPUEach, contest.BytesEach.With("5x"), contest.AllocsEach}, start: inMemory(watchShared)},
	{name: "get untyped, answered in memory", objects: 5_000, warmUp: 500, rows: eachObject, start: untyped(getUntyped)},
	{name: "list untyped, answered in memory", objects: 5_000, warmUp: 500, rows: eachObject, start: untyped(listUntyped)},
	{name: "watch untyped, answered in memory", objects: 5_000, warmUp: 500, rows: eachObject, start: untyped(watchUntyped)},
	{name: "get over HTTP", objects: 5_000, warmUp: 500, rows: []contest.Row{contest.Rate, contest.CPUEach, contest.BytesEach, contest.AllocsEach}, start: overHTTP(getObjects)},
	{name: "typed list of 50,000 over HTTP", objects: many, rows: []contest.Row{contest.Wall, contest.CPU.With("7x").Main(), contest.Bytes, contest.AllocsEach, contest.PeakHeap, contest.LiveHeap, contest.PeakToLive, contest.PeakRSS}, start: overHTTP(listObjects)},
	{name: "fetch of 50,000 over HTTP", objects: many, rows: []contest.Row{contest.Wall, contest.CPU.With("12x"), contest.Bytes, contest.AllocsEach, contest.PeakHeap, contest.LiveHeap, contest.PeakToLive.With("at most 1.1"), contest.PeakRSS}, typeDiffers: true, start: overHTTP(fetchObjects)},
	{name: "watch of 50,000 events over HTTP", objects: many, warmUp: 500, rows: []contest.Row{contest.Rate.With("14x"), contest.CPUEach, contest.BytesEach, contest.AllocsEach}, start: overHTTP(watchObjects)},
}

var eachObject = []contest.Row{contest.CPUEach, contest.BytesEach, contest.AllocsEach}

func decodeObjects(c *contender, in inputs) (run, error) {
	decoder, err := c.machineNegotiator().Decoder(runtime.ContentTypeJSON, nil)
	return func(n int, see func(runtime.Object)) (any, error) {
		for i := range n {
			object := &v1.Machine{}
			if _, _, err := decoder.Decode(in.server.Bodies.Object(i), nil, object); err != nil {
				return nil, err
			}
			see(object)
		}
		return nil, nil
	}, err
}

// lists repeatedly calls decode with a list until it has seen n objects.
func lists(in inputs, n int, decode func(r io.Reader) error) error {
	for left := n; left > 0; left -= listed {
		if err := decode(in.server.Bodies.List(min(left, listed))); err != nil {
			return err
		}
	}
	return nil
}

func decodeLists(c *contender, in inputs) (run, error) {
	decoder, err := c.machineNegotiator().Decoder(runtime.ContentTypeJSON, nil)
	return func(n int, see func(runtime.Object)) (any, error) {
		return nil, lists(in, n, func(r io.Reader) error {
			var list v1.MachineList
			err := c.decodeFrom(decoder, r, &list)
			each(pointers(&list), see)
			return err
		})
	}, err
}

func decodeItems(c *contender, in inputs) (run, error) {
	decoder, err := c.machineNegotiator().Decoder(runtime.ContentTypeJSON, nil)
	return func(n int, see func(runtime.Object)) (any, error) {
		return nil, lists(in, n, func(r io.Reader) error {
			objects, err := c.decodeItems(decoder, r)
			each(objects, see)
			return err
		})
	}, err
}

func decodeEvents(c *contender, in inputs) (run, error) {
	return func(n int, see func(runtime.Object)) (any, error) {
		decoder, err := c.events(c.machineNegotiator(), runtime.ContentTypeJSON, in.server.Bodies.Watch(n))
		if err != nil {
			return nil, err
		}
		return nil, seeEvents(decoder, see)
	}, nil
}

// seeEvents calls see with the objects of a watch until it ends, and closes it.
func seeEvents(decoder watch.Decoder, see func(runtime.Object)) error {
	defer decoder.Close()
	for {
		event, object, err := decoder.Decode()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || event != watch.Modified {
			return fmt.Errorf("event %s: %w", event, err)
		}
		see(object)
	}
}

// decodePodEvents decodes a watch of pods in protobuf.
func decodePodEvents(c *contender, _ inputs) (run, error) {
	frames, err := podFrames()
	return func(n int, see func(runtime.Object)) (any, error) {
		body := &repeated{frames: frames, left: n}
		decoder, err := c.events(c.podNegotiator(), runtime.ContentTypeProtobuf, io.NopCloser(body))
		if err != nil {
			return nil, err
		}
		return nil, seeEvents(decoder, see)
	}, err
}

// decodePods decodes pods of a media type.
func decodePods(mediaType string) func(*contender, inputs) (run, error) {
	return func(c *contender, _ inputs) (run, error) {
		bodies := make([][]byte, prepared)
		encoder, err := c.podNegotiator().Encoder(mediaType, nil)
		if err != nil {
			return nil, err
		}
		for i := range bodies {
			if bodies[i], err = runtime.Encode(encoder, input.Pod(i)); err != nil {
				return nil, err
			}
		}
		decoder, err := c.podNegotiator().Decoder(mediaType, nil)
		return func(n int, see func(runtime.Object)) (any, error) {
			for i := range n {
				pod := &corev1.Pod{}
				if _, _, err := decoder.Decode(bodies[i%prepared], nil, pod); err != nil {
					return nil, err
				}
				see(pod)
			}
			return nil, nil
		}, err
	}
}

// decodePodItems decodes lists of pods in protobuf, off a reader, for owners that keep pointers to the pods.
func decodePodItems(c *contender, _ inputs) (run, error) {
	encoder, err := c.podNegotiator().Encoder(runtime.ContentTypeProtobuf, nil)
	if err != nil {
		return nil, err
	}
	encode := func(n int) ([]byte, error) {
		list := &corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}}
		for i := range n {
			list.Items = append(list.Items, *input.Pod(i))
		}
		return runtime.Encode(encoder, list)
	}
	decoder, err := c.podNegotiator().Decoder(runtime.ContentTypeProtobuf, nil)
	if err != nil {
		return nil, err
	}
	bodies := map[int][]byte{}
	return func(n int, see func(runtime.Object)) (any, error) {
		for left := n; left > 0; left -= listed {
			size := min(left, listed)
			if bodies[size] == nil {
				if bodies[size], err = encode(size); err != nil {
					return nil, err
				}
			}
			pods, err := c.decodePods(decoder, bytes.NewReader(bodies[size]))
			if err != nil {
				return nil, err
			}
			each(pods, see)
		}
		return nil, nil
	}, nil
}

// through is work through a client.
type through func(ctx context.Context, c *contender, client machines, n int, see func(runtime.Object)) (any, error)

// memory is the host of clients with an in-memory transport.
const memory = "http://memory.example.com"

// inMemory returns a client with an in-memory transport.
func inMemory(do through) func(*contender, inputs) (run, error) {
	return func(c *contender, in inputs) (run, error) {
		return client(c, memory, in.server, do)
	}
}

// overHTTP returns a client of the server process.
func overHTTP(do through) func(*contender, inputs) (run, error) {
	return func(c *contender, in inputs) (run, error) {
		return client(c, in.url, nil, do)
	}
}

func client(c *contender, host string, transport http.RoundTripper, do through) (run, error) {
	client, err := c.client(host, transport)
	return func(n int, see func(runtime.Object)) (any, error) {
		return do(context.Background(), c, client, n, see)
	}, err
}

// names are the names of the prepared objects.
var names = func() []string {
	names := make([]string, prepared)
	for i := range names {
		names[i] = input.Name(i)
	}
	return names
}()

func getObjects(ctx context.Context, _ *contender, client machines, n int, see func(runtime.Object)) (any, error) {
	for i := range n {
		object, err := client.Get(ctx, names[i%prepared], metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		see(object)
	}
	return nil, nil
}

func listObjects(ctx context.Context, _ *contender, client machines, n int, see func(runtime.Object)) (any, error) {
	list, err := client.List(ctx, metav1.ListOptions{Limit: int64(n)})
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		see(&list.Items[i])
	}
	return list, nil
}

func fetchObjects(ctx context.Context, c *contender, client machines, n int, see func(runtime.Object)) (any, error) {
	objects, err := c.fetch(ctx, client, n)
	each(objects, see)
	return objects, err
}

func watchObjects(ctx context.Context, _ *contender, client machines, n int, see func(runtime.Object)) (any, error) {
	w, err := client.Watch(ctx, metav1.ListOptions{Limit: int64(n)})
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		if event.Type != watch.Modified {
			return nil, fmt.Errorf("event %s: %v", event.Type, event.Object)
		}
		see(event.Object)
	}
	return nil, nil
}

// watchShared is watchObjects as an informer does it: what is equal in the objects may be one in memory.
func watchShared(ctx context.Context, c *contender, client machines, n int, see func(runtime.Object)) (any, error) {
	if c.sharing != nil {
		ctx = c.sharing(ctx)
	}
	return watchObjects(ctx, c, client, n, see)
}

func each(objects []runtime.Object, see func(runtime.Object)) {
	for _, object := range objects {
		see(object)
	}
}
