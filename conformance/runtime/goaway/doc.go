// Package goaway compares what client-go's client and ours make of HTTP/2 connections that a server leaves: by GOAWAY
// before, in and behind the response to a get, a list, a watch and a create, with all codes, followed by the rest of
// the response or by the end of the connection.
package goaway
