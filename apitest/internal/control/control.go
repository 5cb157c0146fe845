// Package control has the requests by which package apitest makes servers and uses them, in a program or in the process
// of a test.
//
// A request is a POST with a JSON document, and so is its response: /servers with [Options] makes a server, and
// /servers/ID/METHOD calls one of its methods, with an [Argument], which returns a [Result]. A response with a status
// other than 200 has a [Failure]. The program serves them over its standard input and output, as HTTP/2 without TLS.
package control

import (
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CoreGroup selects in a [Match] the group whose name is empty.
const CoreGroup = "core"

// InProcess serves the requests in this process; nil means by a program. Only functions init set it.
var InProcess http.RoundTripper

// Methods of a server. What each uses of an [Argument] and sets in a [Result] is in parentheses.
const (
	Token           = "token"            // (User, Groups; Text)
	Kubeconfig      = "kubeconfig"       // (User, Groups; Text)
	WriteKubeconfig = "write-kubeconfig" // (Path)
	Sign            = "sign"             // (User, Groups; Certificate)
	Apply           = "apply"            // (CRDs)
	Restart         = "restart"          //
	Stop            = "stop"             //
	Take            = "snapshot"         // (ID)
	Restore         = "restore"          // (ID)
	Now             = "now"              // (Time)
	Advance         = "advance"          // (Duration)
	Inject          = "inject"           // (Rule; ID)
	Hits            = "hits"             // (ID; Count)
	AwaitDone       = "await-done"       // (ID), returns when the injection is not active any more
	Remove          = "remove"           // (ID)
	DropWatches     = "drop-watches"     // (Matches; Count)
	CutConnections  = "cut-connections"  // (Count)
	ExpireHistory   = "expire-history"   //
	Freeze          = "freeze"           //
	Thaw            = "thaw"             //
	Record          = "record"           // (ID)
	Recorded        = "recorded"         // (ID; Requests, Count of dropped ones)
	ResetRecording  = "reset-recording"  // (ID)
	StopRecording   = "stop-recording"   // (ID)
)

// Options are those of a server. Paths are absolute.
type Options struct {
	CRDPaths         []string
	CRDs             []json.RawMessage
	Objects          []Object
	Manifests        []Manifest
	Controllers      []string
	PlainHTTP        bool
	Address          string
	Serving          *Certificate
	ClientCA         []byte
	Webhooks         *Webhooks
	History          int
	Pace             time.Duration
	BookmarkInterval time.Duration
	Time             *time.Time
}

// Object is an object to create.
type Object struct {
	// Type is the Go type, with the path of its package, of an object that does not have its kind.
	Type    string
	Content json.RawMessage
}

// Manifest is a path or a text.
type Manifest struct{ Path, Text string }

// Webhooks is the server of webhooks.
type Webhooks struct {
	URL string
	CA  []byte // PEM
}

// Started describes a server.
type Started struct {
	ID  int
	URL string
	CA  []byte // PEM; nil for plain HTTP
}

// Argument is that of a method.
type Argument struct {
	ID       int
	User     string
	Groups   []string
	Path     string // absolute
	CRDs     []json.RawMessage
	Duration time.Duration
	Rule     *Rule
	Matches  []Match
}

// Result is what a method returns.
type Result struct {
	ID          int
	Count       int
	Text        string
	Time        time.Time
	Certificate *Certificate
	Requests    json.RawMessage
}

// Certificate is a certificate with its key and authority, in PEM.
type Certificate struct{ Cert, Key, CA []byte }

// Match selects requests.
type Match struct{ Verb, Group, Resource, Namespace, Name, Path, User string }

// Rule is a fault.
type Rule struct {
	Match   Match
	Delay   time.Duration
	Times   int
	Status  *metav1.Status // of an API error
	Message string         // of another error
	Fails   bool           // whether there is an error
}

// Failure is the error of a request.
type Failure struct {
	Message string
	Status  *metav1.Status // of the API error in it, if any
	Stopped bool           // the server is stopped
}

// TypeName returns the name of a Go type, with the path of its package.
func TypeName(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }
