package apitest

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/request/union"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// admin is the user of Config.
var admin = &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}}

// anonymous is the user of requests without a token.
var anonymous = &user.DefaultInfo{Name: user.Anonymous, Groups: []string{user.AllUnauthenticated}}

// users are the known users, by their tokens.
type users struct {
	mu      sync.RWMutex // guards the rest
	byToken map[string]*user.DefaultInfo
	tokens  map[string]string // by name and groups
}

func newUsers() *users {
	return &users{byToken: map[string]*user.DefaultInfo{}, tokens: map[string]string{}}
}

// token returns a user's token, always the same for the same name and groups. All users are also in the group
// of authenticated users, and service accounts in theirs.
func (u *users) token(name string, groups []string) string {
	groups = append(slices.Clone(groups), user.AllAuthenticated)
	if namespace, _, err := serviceaccount.SplitUsername(name); err == nil {
		groups = append(groups, serviceaccount.MakeGroupNames(namespace)...)
	}
	key := strings.Join(append([]string{name}, groups...), "\x00")
	u.mu.Lock()
	defer u.mu.Unlock()
	if token, ok := u.tokens[key]; ok {
		return token
	}
	token := rand.Text()
	u.tokens[key] = token
	u.byToken[token] = &user.DefaultInfo{Name: name, Groups: groups}
	return token
}

// AuthenticateToken implements authenticator.Token.
func (u *users) AuthenticateToken(_ context.Context, token string) (*authenticator.Response, bool, error) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	info, ok := u.byToken[token]
	if !ok {
		return nil, false, nil
	}
	return &authenticator.Response{User: info}, true, nil
}

// authenticator returns the user of a request: that of its certificate, otherwise of its token, which must be a
// known one; without either, other is used.
func (u *users) authenticator(certified authenticator.Request, other user.Info) authenticator.Request {
	return union.NewFailOnError(union.New(certified, bearertoken.New(u)), authenticator.RequestFunc(
		func(*http.Request) (*authenticator.Response, bool, error) {
			return &authenticator.Response{User: other}, true, nil
		}))
}
