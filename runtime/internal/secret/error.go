package secret

import (
	"errors"
	"net/url"
	"strings"
)

// Error removes from an error of net/http or net/url what [URL] removes from its URL. Other errors are returned
// unchanged.
func Error(err error) error {
	var urlErr *url.Error
	if !errors.As(err, &urlErr) {
		return err
	}
	safe := &url.Error{Op: urlErr.Op, URL: Redacted, Err: urlErr.Err}
	target, parseErr := url.Parse(urlErr.URL)
	if parseErr == nil {
		safe.URL = URL(target)
	}
	if strings.HasPrefix(urlErr.Err.Error(), badLocation) {
		safe.Err = errors.New(badLocation)
	} else if safe.URL == urlErr.URL {
		return err
	}
	return safe
}

// badLocation is the beginning of net/http's error for a redirect to an invalid URL; the URL follows.
const badLocation = "failed to parse Location header"
