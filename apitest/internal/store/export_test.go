package store

// ExpireHistoryUpTo discards everything before a version.
func ExpireHistoryUpTo(b *Backend, version uint64) { b.expireHistory(version) }
