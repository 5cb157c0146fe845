package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
)

// watchRaw prints what a watch is on the wire: a response that does not end, with one JSON object for each event.
func watchRaw(ctx context.Context, config *rest.Config, out io.Writer) error {
	config.ContentType = "application/json" // the clientset's default is protobuf
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the response
	maps := client.CoreV1().ConfigMaps("tour")
	color := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "color"}, Data: map[string]string{"is": "red"}}
	if color, err = maps.Create(ctx, color, metav1.CreateOptions{}); err != nil {
		return err
	}
	// The server sends the objects that exist, a bookmark to mark their end, and then what changes.
	request := client.CoreV1().RESTClient().Get().Namespace("tour").Resource("configmaps").
		Param("watch", "true").Param("fieldSelector", "metadata.name=color").
		Param("sendInitialEvents", "true").Param("resourceVersionMatch", "NotOlderThan").Param("allowWatchBookmarks", "true")
	body, err := request.Stream(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	lines := bufio.NewScanner(body)
	show := func() {
		if lines.Scan() {
			line, rest, _ := strings.Cut(lines.Text(), `,"uid"`)
			fmt.Fprintln(out, line+map[bool]string{true: " ..."}[rest != ""])
		}
	}
	show()
	show()
	color.Data["is"] = "blue"
	if _, err = maps.Update(ctx, color, metav1.UpdateOptions{}); err != nil {
		return err
	}
	show()
	if err = maps.Delete(ctx, "color", metav1.DeleteOptions{}); err != nil {
		return err
	}
	show()
	return lines.Err()
}
