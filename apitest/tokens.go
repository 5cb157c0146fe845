package apitest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
)

// issued is a token of a service account.
type issued struct {
	builtin.Token
	info *user.DefaultInfo
}

// issue returns a JWT for a service account, with the claims of the real server.
func (u *users) issue(t builtin.Token) (string, error) {
	id := string(uuid.NewUUID())
	account := map[string]any{"name": t.Account, "uid": t.UID}
	claims := map[string]any{"namespace": t.Namespace, "serviceaccount": account}
	for _, object := range []*builtin.Bound{t.Bound, t.Node} {
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
		"iss":           builtin.Issuer,
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
	u.mu.Lock()
	defer u.mu.Unlock()
	u.forget()
	u.issued[jwt] = issued{t, who}
	return jwt, nil
}

// reference is a claim about an object.
func reference(object *builtin.Bound) map[string]any {
	claim := map[string]any{"name": object.Name}
	if object.UID != "" {
		claim["uid"] = object.UID
	}
	return claim
}

// forget removes tokens that have expired, whenever there are twice as many as were left the last time. The lock is
// held.
func (u *users) forget() {
	if len(u.issued) < u.many {
		return
	}
	now := u.clock.Now()
	maps.DeleteFunc(u.issued, func(_ string, i issued) bool { return now.After(i.Expires) })
	u.many = max(2*len(u.issued), 1000)
}

// authenticate returns the user of a token that is good for one of the audiences, or an error.
func (i issued) authenticate(ctx context.Context, wanted authenticator.Audiences, now time.Time, check func(context.Context, builtin.Token) error) (*authenticator.Response, bool, error) {
	audiences := authenticator.Audiences(i.Audiences).Intersect(wanted)
	if len(audiences) == 0 && len(wanted) > 0 {
		return nil, false, fmt.Errorf("token audiences %q is invalid for the target audiences %q", i.Audiences, wanted)
	}
	if now.After(i.Expires) {
		return nil, false, errors.New("service account token has expired")
	}
	if err := check(ctx, i.Token); err != nil {
		return nil, false, err
	}
	return &authenticator.Response{User: i.info, Audiences: audiences}, true, nil
}

// signer is the key of all tokens in a process.
var signer = sync.OnceValues(func() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) })

// sign returns a JWT with some claims.
func sign(claims any) (string, error) {
	key, err := signer()
	if err != nil {
		return "", fmt.Errorf("create a key: %w", err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"ES256","kid":"apitest"}`)) + "." + encode(payload)
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		return "", fmt.Errorf("sign a token: %w", err)
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature), nil
}
