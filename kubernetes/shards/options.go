package shards

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/clock"
)

// Options configure a member. All members of a ring must have the same, except Identity and Clock.
type Options struct {
	// Name is the ring's, and the name of its Lease: a DNS label. Namespace contains the ring's Leases.
	Name, Namespace string
	// Identity is the member's, usually the name of the pod: a DNS subdomain, unique in the ring. The member's Lease
	// has both names with a dot between.
	Identity string

	// Slots is how many there are, a power of two up to 4096; 0 means 64. A ring should have several times as many
	// slots as members. To change Slots or Key, stop all members and delete the ring's Lease.
	Slots int
	// Key is what slots are ranges of; empty means [ByUID].
	Key Key

	// LeaseDuration is how long the coordinator waits, since it last saw a member's Lease renewed, before it gives the
	// member's slots to others: whole seconds; 0 means 30 seconds.
	LeaseDuration time.Duration
	// RenewDeadline is how long a member works after its last successful renewal. It must be less than LeaseDuration; 0
	// means two thirds of it. Work must end within the difference after its context has ended, less what clocks
	// differ in rate.
	RenewDeadline time.Duration
	// RenewPeriod is the pause between renewals; after a failure it is a sixth. It must be at most two thirds of
	// RenewDeadline; 0 means 12 seconds, or three fifths of RenewDeadline if that is less.
	RenewPeriod time.Duration
	// HandOver is how long running work may go on when its slot is given to another member; then its context ends. 0
	// means 10 seconds, a negative value that contexts end at once.
	HandOver time.Duration
	// Settle is for how long members must not have come or gone before the coordinator moves slots, so that a rolling
	// update is handled at once. Constant change is not waited for longer than ten times as long. 0 means 5 seconds, a
	// negative value no wait.
	Settle time.Duration

	// Clock is the source of time; nil means the real clock. Its Since and its timers must not be affected when Now
	// jumps, which holds for the real clock.
	Clock clock.WithDelayedExecution
}

// withDefaults returns the options with zero values replaced, or an error if they are invalid.
func (o Options) withDefaults() (Options, error) {
	defaults(&o.Slots, 64)
	defaults(&o.Key, ByUID)
	defaults(&o.LeaseDuration, 30*time.Second)
	defaults(&o.RenewDeadline, o.LeaseDuration*2/3)
	defaults(&o.RenewPeriod, min(12*time.Second, o.RenewDeadline*3/5))
	defaults(&o.HandOver, 10*time.Second)
	defaults(&o.Settle, 5*time.Second)
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("shards: "+format, args...))
		}
	}
	check(len(validation.IsDNS1123Label(o.Name)) == 0, "invalid Name %q: %s", o.Name, strings.Join(validation.IsDNS1123Label(o.Name), "; "))
	check(len(validation.IsDNS1123Subdomain(o.leaseName())) == 0, "invalid Identity %q: %s", o.Identity, strings.Join(validation.IsDNS1123Subdomain(o.leaseName()), "; "))
	check(o.Namespace != "", "Namespace is empty")
	check(isSlots(o.Slots), "invalid Slots %d, want a power of two up to %d", o.Slots, maxSlots)
	check(o.Key == ByUID || o.Key == ByNamespace, "invalid Key %q, want ByUID or ByNamespace", o.Key)
	check(o.LeaseDuration >= time.Second && o.LeaseDuration%time.Second == 0, "invalid LeaseDuration %s, want whole seconds", o.LeaseDuration)
	check(0 < o.RenewDeadline && o.RenewDeadline < o.LeaseDuration, "invalid RenewDeadline %s, want less than LeaseDuration %s", o.RenewDeadline, o.LeaseDuration)
	check(0 < o.RenewPeriod && o.RenewPeriod <= o.RenewDeadline*2/3, "invalid RenewPeriod %s, want at most two thirds of RenewDeadline %s", o.RenewPeriod, o.RenewDeadline)
	return o, errors.Join(errs...)
}

func defaults[T comparable](v *T, value T) {
	var zero T
	if *v == zero {
		*v = value
	}
}

func isSlots(n int) bool { return 0 < n && n <= maxSlots && bits.OnesCount(uint(n)) == 1 }

// leaseName is the name of the member's Lease. No other ring has a Lease of that name, because Name has no dot.
func (o *Options) leaseName() string { return o.Name + "." + o.Identity }

// grace is how long work may take to end after its context has ended.
func (o *Options) grace() time.Duration { return o.LeaseDuration - o.RenewDeadline }

// retryPeriod is the pause after a failure.
func (o *Options) retryPeriod() time.Duration { return o.RenewPeriod / 6 }

// calmPeriod is the pause after which news let the next step begin early.
func (o *Options) calmPeriod() time.Duration { return o.RenewPeriod / 24 }
