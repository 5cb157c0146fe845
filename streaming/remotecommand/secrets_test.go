package remotecommand_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/remotecommand"
	"github.com/listwatch/listwatch/streaming/spdy"
)

// TestCommandsStaySecret sends commands that contain a secret to servers that fail.
func TestCommandsStaySecret(t *testing.T) {
	const secret = "s3cr3t"
	const query = "?command=login&command=" + secret + "&container=web&token=" + secret
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	server := func(handle http.HandlerFunc) string {
		s := httptest.NewServer(handle)
		t.Cleanup(s.Close)
		return s.URL
	}
	hangUp := server(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	redirect := server(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", closed.URL+"/"+query)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	badRedirect := server(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://%zz/"+secret)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	executors := map[string]func(*rest.Config, string) (remotecommand.Executor, error){
		"SPDY": func(config *rest.Config, target string) (remotecommand.Executor, error) {
			u, err := url.Parse(target)
			if err != nil {
				u = &url.URL{Scheme: "http", Host: "a b", RawQuery: query[1:]}
			}
			return remotecommand.NewSPDYExecutor(config, "POST", u)
		},
		"SPDY without redirects": func(config *rest.Config, target string) (remotecommand.Executor, error) {
			u, err := url.Parse(target)
			if err != nil {
				u = &url.URL{Scheme: "http", Host: "a b", RawQuery: query[1:]}
			}
			transport, upgrader, err := spdy.RoundTripperFor(config)
			if err != nil {
				return nil, err
			}
			return remotecommand.NewSPDYExecutorRejectRedirects(transport, upgrader, "POST", u)
		},
		"WebSocket": func(config *rest.Config, target string) (remotecommand.Executor, error) {
			return remotecommand.NewWebSocketExecutor(config, "GET", target)
		},
	}
	for kind, create := range executors {
		for name, target := range map[string]string{
			"refused": closed.URL, "hung up": hangUp, "redirected": redirect, "redirected to nowhere": badRedirect,
			"invalid": "http://a b", "no server": "http://no-such-host.invalid", "password": "http://me:" + secret + "@" + closed.Listener.Addr().String(),
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				executor, err := create(&rest.Config{Host: target}, target+"/exec"+query)
				if err != nil {
					t.Fatal(err)
				}
				if text := fmt.Sprintf("%v %+v %#v %s", executor, executor, executor, executor); strings.Contains(text, secret) {
					t.Errorf("printed as %s", text)
				}
				err = executor.StreamWithContext(t.Context(), remotecommand.StreamOptions{Stdout: io.Discard})
				text := fmt.Sprintf("%v %+v %#v", err, err, err)
				if err == nil || strings.Contains(text, secret) || strings.Contains(text, "login") {
					t.Errorf("error is %s", text)
				}
				if kind == "SPDY" && name == "refused" && !strings.Contains(err.Error(), "command=REDACTED&container=web") {
					t.Errorf("error %v does not show the container", err)
				}
			})
		}
	}
}
