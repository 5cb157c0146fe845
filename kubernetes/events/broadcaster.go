package events

import (
	"context"
	"os"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
)

// defaultSleepDuration is the least time between two attempts to write an event.
const defaultSleepDuration = 10 * time.Second

// NewBroadcaster creates a broadcaster that writes events to a sink once StartRecordingToSinkWithContext is
// called. It has no goroutines until then. To release everything, call Shutdown.
func NewBroadcaster(sink EventSink) EventBroadcaster {
	return &broadcaster{sink: sink, sleepDuration: defaultSleepDuration}
}

// broadcaster is the implementation of EventBroadcaster.
type broadcaster struct {
	broadcast.Broadcaster[*eventsv1.Event]
	sink          EventSink
	sleepDuration time.Duration
}

func (b *broadcaster) NewRecorder(scheme *runtime.Scheme, reportingController string) EventRecorderLogger {
	host, _ := os.Hostname() // without a name, the instance ends with the hyphen
	return &recorder{
		scheme: scheme, controller: reportingController, instance: reportingController + "-" + host,
		to: &b.Broadcaster, logger: klog.Background(),
	}
}

func (b *broadcaster) StartRecordingToSink(stopCh <-chan struct{}) {
	if err := b.StartRecordingToSinkWithContext(wait.ContextForChannel(stopCh)); err != nil {
		klog.Background().Error(err, "Failed to start recording to sink")
	}
}

func (b *broadcaster) StartRecordingToSinkWithContext(ctx context.Context) error {
	w, err := b.Watch()
	if err != nil {
		return err
	}
	go b.recordTo(ctx, w)
	return nil
}

func (b *broadcaster) StartEventWatcher(eventHandler func(event runtime.Object)) (func(), error) {
	return b.start(klog.Background(), func(event *eventsv1.Event) { eventHandler(event) })
}

func (b *broadcaster) StartStructuredLogging(verbosity klog.Level) func() {
	logger := klog.Background().V(int(verbosity))
	stop, err := b.StartLogging(logger)
	if err != nil {
		logger.Error(err, "Failed to start event watcher")
		return func() {}
	}
	return stop
}

func (b *broadcaster) StartLogging(logger klog.Logger) (func(), error) {
	return b.start(logger, func(event *eventsv1.Event) {
		about := &event.Regarding
		logger.Info("Event occurred", "object", klog.KRef(about.Namespace, about.Name),
			"kind", about.Kind, "apiVersion", about.APIVersion,
			"type", event.Type, "reason", event.Reason, "action", event.Action, "note", event.Note)
	})
}

// start calls handle with each event and returns a function that ends this.
func (b *broadcaster) start(logger klog.Logger, handle func(*eventsv1.Event)) (func(), error) {
	w, err := b.Watch()
	if err != nil {
		return nil, err
	}
	go func() {
		defer utilruntime.HandleCrashWithLogger(logger)
		for event := range w.Events() {
			handle(event)
		}
	}()
	return w.Stop, nil
}
