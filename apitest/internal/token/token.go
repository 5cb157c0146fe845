// Package token issues the tokens of service accounts: JWTs with the claims of the real server, which are valid for
// their audiences until they expire.
//
// An [Issuer] finds the tokens that it has issued, and forgets them when they have expired; it does not verify
// signatures, and knows nothing of other tokens. Whether the service account still exists is for the caller to check.
// Others verify tokens with the keys that [Discovery] serves.
package token

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/listwatch/listwatch/apitest/internal/clock"
)

// Server is the name of the issuer in tokens, and the audience of those for the server itself.
const Server = "https://kubernetes.default.svc.cluster.local"

// Token describes a token of a service account.
type Token struct {
	Namespace, Account string
	UID                types.UID // the account's
	Audiences          []string
	Bound              *Bound // nil means none
	Node               *Bound // of the bound pod; nil means none
	Issued, Expires    time.Time
	WarnAfter          time.Time // when its owner should have a newer one; zero means never
}

// Bound is the object that a token is bound to.
type Bound struct {
	Kind string // "pod", "secret" or "node"
	Name string
	UID  types.UID // "" if the node of a pod does not exist
}

// Issuer issues tokens. It is safe for concurrent use.
type Issuer struct {
	clock *clock.Clock // by which tokens expire

	mu     sync.RWMutex // guards the fields below
	issued map[string]Issued
	limit  int // size of issued at which those that have expired are removed
}

// Issued is a token that was issued.
type Issued struct {
	Token
	info *user.DefaultInfo
}

// NewIssuer returns an issuer of tokens that expire by a clock.
func NewIssuer(clock *clock.Clock) *Issuer {
	return &Issuer{clock: clock, issued: map[string]Issued{}}
}

// Issue returns a JWT for a service account.
func (i *Issuer) Issue(t Token) (string, error) {
	id := string(uuid.NewUUID())
	account := map[string]any{"name": t.Account, "uid": t.UID}
	claims := map[string]any{"namespace": t.Namespace, "serviceaccount": account}
	for _, object := range []*Bound{t.Bound, t.Node} {
		if object != nil {
			claims[object.Kind] = reference(object)
		}
	}
	if !t.WarnAfter.IsZero() {
		claims["warnafter"] = t.WarnAfter.Unix()
	}
	jwt, err := sign(map[string]any{
		"aud":           t.Audiences,
		"exp":           t.Expires.Unix(),
		"iat":           t.Issued.Unix(),
		"iss":           Server,
		"jti":           id,
		"kubernetes.io": claims,
		"nbf":           t.Issued.Unix(),
		"sub":           serviceaccount.MakeUsername(t.Namespace, t.Account),
	})
	if err != nil {
		return "", err
	}
	info := serviceaccount.ServiceAccountInfo{Namespace: t.Namespace, Name: t.Account, UID: string(t.UID), CredentialID: "JTI=" + id}
	node := t.Node
	switch {
	case t.Bound != nil && t.Bound.Kind == "pod":
		info.PodName, info.PodUID = t.Bound.Name, string(t.Bound.UID)
	case t.Bound != nil && t.Bound.Kind == "node":
		node = t.Bound
	}
	if node != nil {
		info.NodeName, info.NodeUID = node.Name, string(node.UID)
	}
	who := info.UserInfo().(*user.DefaultInfo)
	who.Groups = append(who.Groups, user.AllAuthenticated)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.forget()
	i.issued[jwt] = Issued{t, who}
	return jwt, nil
}

// Find returns a token that was issued, also if it has expired, but not for long.
func (i *Issuer) Find(jwt string) (Issued, bool) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	found, ok := i.issued[jwt]
	return found, ok
}

// reference is a claim about an object.
func reference(object *Bound) map[string]any {
	claim := map[string]any{"name": object.Name}
	if object.UID != "" {
		claim["uid"] = object.UID
	}
	return claim
}

// forget removes tokens that have expired, whenever there are twice as many as were left the last time. The lock is
// held.
func (i *Issuer) forget() {
	if len(i.issued) < i.limit {
		return
	}
	now := i.clock.Now()
	maps.DeleteFunc(i.issued, func(_ string, t Issued) bool { return now.After(t.Expires) })
	i.limit = max(2*len(i.issued), 100)
}

// Authenticate returns the user of a token that is valid at a time for one of the audiences, and the audiences for
// which it is. Without audiences, it need not be valid for any.
func (t Issued) Authenticate(audiences authenticator.Audiences, now time.Time) (*authenticator.Response, error) {
	valid := authenticator.Audiences(t.Audiences).Intersect(audiences)
	if len(valid) == 0 && len(audiences) > 0 {
		return nil, fmt.Errorf("token audiences %q is invalid for the target audiences %q", t.Audiences, audiences)
	}
	if now.After(t.Expires) {
		return nil, errors.New("service account token has expired")
	}
	return &authenticator.Response{User: t.info, Audiences: valid}, nil
}

// sign returns a JWT with some claims.
func sign(claims any) (string, error) {
	key, err := signer()
	if err != nil {
		return "", err
	}
	header, err := json.Marshal(map[string]string{"alg": algorithm, "kid": key.id})
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	text := encode(header) + "." + encode(payload)
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, key.private, crypto.SHA256, digest[:])
	if err != nil {
		return "", fmt.Errorf("sign a token: %w", err)
	}
	return text + "." + encode(signature), nil
}
