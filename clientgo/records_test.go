package clientgo_test

import (
	theirevents "k8s.io/client-go/tools/events"
	theirrecord "k8s.io/client-go/tools/record"

	"github.com/listwatch/listwatch/kubernetes/events"
	"github.com/listwatch/listwatch/kubernetes/record"
)

// Recorders and sinks of events need no conversion.
var (
	_ record.EventRecorder      = theirrecord.EventRecorder(nil)
	_ theirrecord.EventRecorder = record.EventRecorder(nil)
	_ record.EventSink          = theirrecord.EventSink(nil)
	_ theirrecord.EventSink     = record.EventSink(nil)

	_ events.EventRecorder      = theirevents.EventRecorder(nil)
	_ theirevents.EventRecorder = events.EventRecorder(nil)
	_ events.EventSink          = theirevents.EventSink(nil)
	_ theirevents.EventSink     = events.EventSink(nil)
)
