package leaderelection

import (
	"context"
	"errors"
	"time"

	"k8s.io/utils/clock"

	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	"github.com/listwatch/listwatch/runtime/compat"
)

// term is the time for which an elector leads.
type term struct {
	number int             // LeaderTransitions in its records
	ctx    context.Context // of OnStartedLeading: done when the term has ended
	cancel context.CancelCauseFunc
	expiry clock.Timer // cancels ctx RenewDeadline after the last successful renewal
}

// errExpired is the cause of the end of a term in which the lease could not be renewed.
var errExpired = errors.New("the lease was not renewed before the renew deadline")

// begin returns the term of the record that the elector has just written.
func (le *LeaderElector) begin(ctx context.Context) *term {
	t := &term{number: le.seen.record.LeaderTransitions}
	t.ctx, t.cancel = context.WithCancelCause(context.WithValue(ctx, tokenKey{}, t.number))
	t.expiry = le.clock.AfterFunc(le.remaining(le.seen.at), func() { t.cancel(errExpired) })
	return t
}

// extend lets the term last until RenewDeadline after a successful renewal was sent, unless it has ended. If
// [compat.IsClientGo], it lasts until restart.
func (le *LeaderElector) extend(t *term, sent time.Time) {
	if compat.IsClientGo() {
		t.expiry.Stop()
	} else {
		t.expiry.Reset(le.remaining(sent))
	}
}

// restart lets the term last RenewDeadline from now, if [compat.IsClientGo]. It is called before the first attempt
// after a success.
func (le *LeaderElector) restart(t *term) {
	if compat.IsClientGo() {
		t.expiry.Reset(le.config.RenewDeadline)
	}
}

func (le *LeaderElector) remaining(sent time.Time) time.Duration {
	return le.config.RenewDeadline - le.clock.Since(sent)
}

// end ends the term.
func (t *term) end(cause error) {
	t.expiry.Stop()
	t.cancel(cause)
}

// owns reports whether an elector with the given identity wrote a record in this term.
func (t *term) owns(identity string, record *resourcelock.LeaderElectionRecord) bool {
	return record.HolderIdentity == identity && record.LeaderTransitions == t.number
}

type tokenKey struct{}

// FencingToken returns the number of the term whose context OnStartedLeading was called with. A later term of
// any replica has a higher number, so a receiver of writes can refuse those of former leaders; the package
// documentation describes how. It returns false if ctx is not derived from such a context.
func FencingToken(ctx context.Context) (token int, ok bool) {
	token, ok = ctx.Value(tokenKey{}).(int)
	return token, ok
}
