package embedded

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

	"github.com/listwatch/listwatch/apitest/internal/clock"
	"github.com/listwatch/listwatch/apitest/internal/token"
)

// admin is the user of Config.
var admin = &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}}

// anonymous is the user of requests without a token.
var anonymous = &user.DefaultInfo{Name: user.Anonymous, Groups: []string{user.AllUnauthenticated}}

// users are the known users, by their tokens.
type users struct {
	clock  *clock.Clock  // by which tokens expire
	issuer *token.Issuer // of tokens for service accounts
	// check reports whether a service account and what its token is bound to still exist.
	check func(context.Context, token.Token) error

	mu      sync.RWMutex // guards the fields below
	byToken map[string]*user.DefaultInfo
	tokens  map[string]string // by name and groups
}

func newUsers(clock *clock.Clock, issuer *token.Issuer, check func(context.Context, token.Token) error) *users {
	return &users{clock: clock, issuer: issuer, check: check, byToken: map[string]*user.DefaultInfo{}, tokens: map[string]string{}}
}

// token returns a user's token, always the same for the same name and groups. All users are also in the group
// of authenticated users, and service accounts in theirs.
func (u *users) token(name string, groups []string) string {
	groups = slices.Clone(groups)
	if namespace, _, err := serviceaccount.SplitUsername(name); err == nil {
		groups = append(groups, serviceaccount.MakeGroupNames(namespace)...)
	}
	groups = withoutDuplicates(append(groups, user.AllAuthenticated))
	key := strings.Join(append([]string{name}, groups...), "\x00")
	u.mu.Lock()
	defer u.mu.Unlock()
	if text, ok := u.tokens[key]; ok {
		return text
	}
	text := rand.Text()
	u.tokens[key] = text
	u.byToken[text] = &user.DefaultInfo{Name: name, Groups: groups}
	return text
}

func withoutDuplicates(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// AuthenticateToken implements authenticator.Token, for the audiences of the context, if it has some.
func (u *users) AuthenticateToken(ctx context.Context, text string) (*authenticator.Response, bool, error) {
	audiences, _ := authenticator.AudiencesFrom(ctx)
	if issued, ok := u.issuer.Find(text); ok {
		response, err := issued.Authenticate(audiences, u.clock.Now())
		if err == nil {
			err = u.check(ctx, issued.Token)
		}
		if err != nil {
			return nil, false, err
		}
		return response, true, nil
	}
	u.mu.RLock()
	info, ok := u.byToken[text]
	u.mu.RUnlock()
	if !ok {
		return nil, false, nil
	}
	response := &authenticator.Response{User: info, Audiences: apiAudiences.Intersect(audiences)}
	return response, len(audiences) == 0 || len(response.Audiences) > 0, nil
}

// apiAudiences are the audiences of tokens for this server.
var apiAudiences = authenticator.Audiences{token.Server}

// authenticator returns the user of a request: that of its certificate, otherwise of its token, which must be a
// known one; without either, defaultUser is used.
func (u *users) authenticator(certified authenticator.Request, defaultUser user.Info) authenticator.Request {
	return union.NewFailOnError(union.New(certified, bearertoken.New(u)), authenticator.RequestFunc(
		func(*http.Request) (*authenticator.Response, bool, error) {
			return &authenticator.Response{User: defaultUser}, true, nil
		}))
}
