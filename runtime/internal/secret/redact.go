package secret

import "strings"

// Host redacts a host, a host:port pair or a URL as a user wrote it, which may be one that
// cannot be parsed: everything before its last "@" may be a password.
func Host(host string) string {
	i := strings.LastIndexByte(host, '@')
	if i < 0 {
		return host
	}
	scheme, _, ok := strings.Cut(host[:i], "://")
	if !ok || strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" {
		return Mark + host[i:]
	}
	return scheme + "://" + Mark + host[i:]
}
