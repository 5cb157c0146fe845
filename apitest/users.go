package apitest

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/anonymous"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/request/union"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// admin is who Config is for.
var admin = &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}}

// users are who a server knows, by the tokens they show.
type users struct {
	mu      sync.RWMutex // guards the rest
	byToken map[string]*user.DefaultInfo
	tokens  map[string]string // by name and groups
}

func newUsers() *users {
	return &users{byToken: map[string]*user.DefaultInfo{}, tokens: map[string]string{}}
}

// token returns what a user shows, always the same for the same name and groups.
func (u *users) token(name string, groups []string) string {
	key := strings.Join(append([]string{name}, groups...), "\x00")
	u.mu.Lock()
	defer u.mu.Unlock()
	if token, ok := u.tokens[key]; ok {
		return token
	}
	token := rand.Text()
	u.tokens[key] = token
	u.byToken[token] = &user.DefaultInfo{Name: name, Groups: slices.Clone(groups)}
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

// authenticator tells who sent a request: a token that is wrong is nobody's, none at all is
// that of the anonymous user.
func (u *users) authenticator() authenticator.Request {
	known := group.NewAuthenticatedGroupAdder(bearertoken.New(u))
	return union.NewFailOnError(known, anonymous.NewAuthenticator(nil))
}

// publicPaths are what everybody may read.
var publicPaths = []string{"/healthz", "/livez", "/readyz", "/version", "/version/"}

// newAuthorizer returns who may do what: the privileged group everything, everybody the
// public paths, and others what rules say, or everything if they are authenticated and
// rules are nil.
func newAuthorizer(rules authorizer.UnconditionalAuthorizer) authorizer.Authorizer {
	return authorizer.AuthorizerFunc(func(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
		var groups []string
		if u := a.GetUser(); u != nil {
			groups = u.GetGroups()
		}
		switch {
		case slices.Contains(groups, user.SystemPrivilegedGroup), public(a):
			return authorizer.DecisionAllow, "", nil
		case rules != nil:
			return rules.Authorize(ctx, a)
		case slices.Contains(groups, user.AllAuthenticated):
			return authorizer.DecisionAllow, "", nil
		}
		return authorizer.DecisionNoOpinion, "", nil
	})
}

func public(a authorizer.Attributes) bool {
	return !a.IsResourceRequest() && a.IsReadOnly() && slices.Contains(publicPaths, a.GetPath())
}
