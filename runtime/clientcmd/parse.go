package clientcmd

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// ParseTimeout parses a duration like "30s", or a number of seconds.
func ParseTimeout(duration string) (time.Duration, error) {
	if seconds, err := strconv.ParseInt(duration, 10, 64); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, nil
	}
	if d, err := time.ParseDuration(duration); err == nil {
		return d, nil
	}
	return 0, errors.New("Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)") //nolint:staticcheck // client-go's text
}

// parseProxyURL parses the URL of a proxy. Its errors do not quote the URL, which may contain a password.
func parseProxyURL(proxyURL string) (*url.URL, error) {
	u, err := url.Parse(proxyURL)
	if err != nil {
		return nil, errors.New("could not parse the URL")
	}
	switch u.Scheme {
	case "http", "https", "socks5":
		return u, nil
	case "":
		return nil, errors.New("missing scheme, must be http, https, or socks5")
	default:
		return nil, fmt.Errorf("unsupported scheme %q, must be http, https, or socks5", u.Scheme)
	}
}
