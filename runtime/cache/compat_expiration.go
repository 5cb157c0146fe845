package cache

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"
)

// ExpirationPolicy determines which entries of an [ExpirationCache] have expired.
type ExpirationPolicy interface {
	// IsExpired is called with the store locked: it must not call it, nor modify the entry.
	IsExpired(obj *TimestampedEntry) bool
}

// TimestampedEntry is an object in an [ExpirationCache], and when it was stored.
type TimestampedEntry struct {
	Obj       any
	Timestamp time.Time
}

// TTLPolicy is an [ExpirationPolicy] by age.
type TTLPolicy struct {
	// TTL is the age after which an entry has expired; 0 or less means never.
	TTL time.Duration
	// Clock measures the age. It must not be nil if TTL is positive.
	Clock clock.Clock
}

// IsExpired reports whether the entry is older than TTL.
func (p *TTLPolicy) IsExpired(obj *TimestampedEntry) bool {
	return p.TTL > 0 && p.Clock.Since(obj.Timestamp) > p.TTL
}

// FakeExpirationPolicy is an [ExpirationPolicy] for tests.
type FakeExpirationPolicy struct {
	// NeverExpire are the keys that do not expire; all others have expired.
	NeverExpire sets.Set[string]
	// RetrieveKeyFunc is called with the *TimestampedEntry.
	RetrieveKeyFunc KeyFunc
}

// IsExpired reports whether the entry's key is missing in NeverExpire. So is one that
// RetrieveKeyFunc cannot find.
func (p *FakeExpirationPolicy) IsExpired(obj *TimestampedEntry) bool {
	key, _ := p.RetrieveKeyFunc(obj)
	return !p.NeverExpire.Has(key)
}

// ExpirationCache is a [Store] whose objects expire: Get, GetByKey and List delete objects that
// they find expired, and do not return them. ListKeys returns expired keys that none of them met.
// Its resource version is that of the last Replace or Bookmark.
//
// It is created by [NewTTLStore] or [NewExpirationStore].
type ExpirationCache struct {
	keyFunc KeyFunc
	clock   clock.Clock
	policy  ExpirationPolicy
	expired chan<- string // receives the keys of objects that expired, or nil

	mu      sync.Mutex // guards the fields below
	entries map[string]*TimestampedEntry
	version string
}

// NewTTLStore returns an empty store whose objects expire when they were stored ttl ago; 0 or
// less means never.
func NewTTLStore(keyFunc KeyFunc, ttl time.Duration) Store {
	return NewExpirationStore(keyFunc, &TTLPolicy{ttl, clock.RealClock{}})
}

// NewExpirationStore returns an empty store whose objects expire as the policy determines.
func NewExpirationStore(keyFunc KeyFunc, expirationPolicy ExpirationPolicy) Store {
	return NewFakeExpirationStore(keyFunc, nil, expirationPolicy, clock.RealClock{})
}

// NewFakeExpirationStore is [NewExpirationStore] for tests: with a clock, and a channel that
// receives the keys of objects that expired, unless it is nil. Reading the store waits until these
// are received.
func NewFakeExpirationStore(keyFunc KeyFunc, deletedKeys chan<- string, expirationPolicy ExpirationPolicy, cacheClock clock.Clock) Store {
	return &ExpirationCache{
		keyFunc: keyFunc,
		clock:   cacheClock,
		policy:  expirationPolicy,
		expired: deletedKeys,
		entries: map[string]*TimestampedEntry{},
	}
}

func (c *ExpirationCache) key(obj any) (string, error) {
	key, err := c.keyFunc(obj)
	if err != nil {
		return "", KeyError{Obj: obj, Err: err}
	}
	return key, nil
}

// Add stores an object, whose age begins anew.
func (c *ExpirationCache) Add(obj any) error {
	key, err := c.key(obj)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = &TimestampedEntry{obj, c.clock.Now()}
	return nil
}

// Update does the same as Add.
func (c *ExpirationCache) Update(obj any) error { return c.Add(obj) }

// Delete deletes the object that has obj's key.
func (c *ExpirationCache) Delete(obj any) error {
	key, err := c.key(obj)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, key)
	return nil
}

// Replace replaces all objects; the ages of all begin anew.
func (c *ExpirationCache) Replace(objects []any, resourceVersion string) error {
	now := c.clock.Now()
	entries := make(map[string]*TimestampedEntry, len(objects))
	for _, obj := range objects {
		key, err := c.key(obj)
		if err != nil {
			return err
		}
		entries[key] = &TimestampedEntry{obj, now}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries, c.version = entries, resourceVersion
	return nil
}

// Get returns the object that has obj's key, unless it has expired.
func (c *ExpirationCache) Get(obj any) (item any, exists bool, err error) {
	key, err := c.key(obj)
	if err != nil {
		return nil, false, err
	}
	return c.GetByKey(key)
}

// GetByKey returns the object of a key, unless it has expired. The error is always nil.
func (c *ExpirationCache) GetByKey(key string) (item any, exists bool, err error) {
	if found := c.living([]string{key}); len(found) > 0 {
		return found[0], true, nil
	}
	return nil, false, nil
}

// List returns all objects that have not expired.
func (c *ExpirationCache) List() []any { return c.living(c.ListKeys()) }

// living returns the objects of those keys that have not expired, and deletes the others.
func (c *ExpirationCache) living(keys []string) []any {
	found := make([]any, 0, len(keys))
	var expired []string
	c.mu.Lock()
	for _, key := range keys {
		entry, exists := c.entries[key]
		switch {
		case !exists:
		case c.policy.IsExpired(entry):
			delete(c.entries, key)
			expired = append(expired, key)
		default:
			found = append(found, entry.Obj)
		}
	}
	c.mu.Unlock()
	if c.expired != nil {
		for _, key := range expired {
			c.expired <- key
		}
	}
	return found
}

// ListKeys returns all keys, also those of expired objects that are not deleted yet.
func (c *ExpirationCache) ListKeys() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := make([]string, 0, len(c.entries))
	for key := range c.entries {
		keys = append(keys, key)
	}
	return keys
}

// LastStoreSyncResourceVersion returns the resource version of the last Replace or Bookmark.
func (c *ExpirationCache) LastStoreSyncResourceVersion() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// Bookmark sets the resource version.
func (c *ExpirationCache) Bookmark(rv string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = rv
}

// Resync does nothing.
func (c *ExpirationCache) Resync() error { return nil }
