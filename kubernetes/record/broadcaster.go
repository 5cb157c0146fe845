package record

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
)

// defaultSleepDuration is the time between two attempts to write an event.
const defaultSleepDuration = 10 * time.Second

// BroadcasterOption changes how a broadcaster works.
type BroadcasterOption func(*config)

type config struct {
	correlator    CorrelatorOptions
	ctx           context.Context
	sleepDuration time.Duration
}

// WithCorrelatorOptions sets how events are aggregated and filtered before they are written.
func WithCorrelatorOptions(options CorrelatorOptions) BroadcasterOption {
	return func(c *config) { c.correlator = options }
}

// WithContext shuts the broadcaster down when ctx is done, and logs with the logger of ctx.
func WithContext(ctx context.Context) BroadcasterOption {
	return func(c *config) { c.ctx = ctx }
}

// WithSleepDuration sets the time between two attempts to write an event; the default is 10 seconds. The first
// pause is a random part of it, so that clients do not return to a server all at once.
func WithSleepDuration(sleepDuration time.Duration) BroadcasterOption {
	return func(c *config) { c.sleepDuration = sleepDuration }
}

// NewBroadcaster creates a broadcaster. It has no goroutines until a watcher starts. To release everything,
// call Shutdown or end the context of [WithContext].
func NewBroadcaster(opts ...BroadcasterOption) EventBroadcaster {
	c := config{sleepDuration: defaultSleepDuration}
	for _, opt := range opts {
		opt(&c)
	}
	if c.ctx == nil {
		c.ctx = context.Background()
	}
	b := &broadcaster{config: c}
	b.stopAfter = context.AfterFunc(c.ctx, b.Broadcaster.Shutdown)
	return b
}

// NewBroadcasterForTests creates a broadcaster with a time between attempts to write, which may be 0.
func NewBroadcasterForTests(sleepDuration time.Duration) EventBroadcaster {
	return NewBroadcaster(WithSleepDuration(sleepDuration))
}

// NewBroadcasterWithCorrelatorOptions creates a broadcaster with [WithCorrelatorOptions].
func NewBroadcasterWithCorrelatorOptions(options CorrelatorOptions) EventBroadcaster {
	return NewBroadcaster(WithCorrelatorOptions(options))
}

// broadcaster is the implementation of EventBroadcaster.
type broadcaster struct {
	broadcast.Broadcaster[*corev1.Event]
	config
	stopAfter func() bool // makes the broadcaster independent of its context
}

func (b *broadcaster) Shutdown() {
	b.stopAfter()
	b.Broadcaster.Shutdown()
}

func (b *broadcaster) logger() klog.Logger { return klog.FromContext(b.ctx) }

func (b *broadcaster) StartEventWatcher(eventHandler func(*corev1.Event)) watch.Interface {
	w, err := b.Watch()
	if err != nil {
		b.logger().Error(err, "Unable start event watcher (will not retry!)")
		return watch.NewEmptyWatch()
	}
	ended := make(chan watch.Event)
	go func() {
		defer close(ended)
		defer utilruntime.HandleCrashWithContext(b.ctx)
		for event := range w.Events() {
			eventHandler(event)
		}
	}()
	return &watcher{Watcher: w, ended: ended}
}

// watcher is what the methods of EventBroadcaster return.
type watcher struct {
	*broadcast.Watcher[*corev1.Event]
	ended chan watch.Event
}

func (w *watcher) ResultChan() <-chan watch.Event { return w.ended }

func (b *broadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return b.StartEventWatcher(func(e *corev1.Event) {
		logf("Event(%#v): type: '%v' reason: '%v' %v", e.InvolvedObject, e.Type, e.Reason, e.Message)
	})
}

func (b *broadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface {
	logger := b.logger().V(int(verbosity))
	return b.StartEventWatcher(func(e *corev1.Event) {
		about := &e.InvolvedObject
		logger.Info("Event occurred", "object", klog.KRef(about.Namespace, about.Name), "fieldPath", about.FieldPath,
			"kind", about.Kind, "apiVersion", about.APIVersion, "type", e.Type, "reason", e.Reason, "message", e.Message)
	})
}

func (b *broadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) EventRecorderLogger {
	return &recorder{scheme: scheme, source: source, to: &b.Broadcaster, logger: klog.Background()}
}
