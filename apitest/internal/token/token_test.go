package token

import (
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/clock"
)

// Tokens that have expired are not kept.
func TestTokensAreBounded(t *testing.T) {
	issuer := NewIssuer(clock.NewStill(time.Unix(1e9, 0)))
	for i := range 500 {
		now := issuer.clock.Now()
		if _, err := issuer.Issue(Token{Namespace: "default", Account: "robot", Issued: now, Expires: now.Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
		if issuer.clock.Advance(10 * time.Minute); len(issuer.issued) > 100 {
			t.Fatalf("after %d tokens, of which 6 at a time are valid, %d are kept, want at most 100", i+1, len(issuer.issued))
		}
	}
}
