package websocket_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	gorilla "github.com/gorilla/websocket"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/websocket"
)

// A connection is opened with the credentials of a config, and with one of the subprotocols that both sides know.
func ExampleNegotiate() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		upgrader := gorilla.Upgrader{Subprotocols: []string{"v2.example.com"}}
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		message := "hello, " + r.Header.Get("Authorization")
		if err = conn.WriteMessage(gorilla.TextMessage, []byte(message)); err != nil {
			log.Print(err)
		}
	}))
	defer server.Close()

	roundTripper, holder, err := websocket.RoundTripperFor(&rest.Config{Host: server.URL, BearerToken: "secret"})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodGet, server.URL, nil)
	if err != nil {
		log.Fatal(err)
	}
	conn, err := websocket.Negotiate(roundTripper, holder, request, "v3.example.com", "v2.example.com")
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	_, message, err := conn.ReadMessage()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(conn.Subprotocol(), string(message))
	// Output: v2.example.com hello, Bearer secret
}
