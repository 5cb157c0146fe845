package main

import (
	"context"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/record"
	"github.com/listwatch/listwatch/kubernetes/scheme"
	corev1client "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
	"github.com/listwatch/listwatch/runtime/rest"
)

// events records events about a pod, which "kubectl describe pod" shows.
func events(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	pod, err := client.CoreV1().Pods("tour").Get(ctx, "web-1", metav1.GetOptions{})
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	sink := broadcaster.StartRecordingToSink(&corev1client.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "tour"})
	for range 3 { // no call waits for the server
		recorder.Event(pod, corev1.EventTypeNormal, "Visited", "The tour was here")
	}
	broadcaster.Shutdown()
	<-sink.ResultChan() // all are written

	ofPod := metav1.ListOptions{FieldSelector: "involvedObject.name=web-1,reason=Visited"}
	written, err := client.CoreV1().Events("tour").List(ctx, ofPod)
	if err != nil {
		return err
	}
	for _, event := range written.Items {
		fmt.Fprintf(out, "%s %s: %s (%d times)\n", event.Type, event.Reason, event.Message, event.Count)
	}
	return client.CoreV1().Events("tour").DeleteCollection(ctx, metav1.DeleteOptions{}, ofPod)
}
