package store

// ExpireHistoryUpTo forgets all that was before a version.
func ExpireHistoryUpTo(b *Backend, version uint64) { b.expireHistory(version) }
