package perturb

import (
	"context"
	"encoding/json"
	"net/http"
)

// users is the connection of the users. Each of their requests but watches waits until the program rests, so that runs
// are alike.
type users struct {
	trial *trial
	next  http.RoundTripper
}

// gate is a request of a user that waits.
type gate struct {
	point point // of a write; zero for reads
	open  chan struct{}
}

// RoundTrip implements http.RoundTripper.
func (u *users) RoundTrip(req *http.Request) (*http.Response, error) {
	t := u.trial
	req = req.Clone(req.Context())
	acceptJSON(req)
	info, err := requestInfo.NewRequestInfo(req)
	if err != nil || !info.IsResourceRequest || t.background(info) {
		return u.next.RoundTrip(req)
	}
	t.history.follow(info)
	switch info.Verb {
	case "watch":
		return u.next.RoundTrip(req)
	case "get", "list":
		if err = u.wait(req.Context(), point{}); err != nil {
			return nil, err
		}
		return u.next.RoundTrip(req)
	}
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	var sent partial
	_ = json.Unmarshal(body, &sent)
	w := t.begin(userActor, info, sent)
	if err = u.wait(req.Context(), w.point); err != nil {
		return nil, err
	}
	d := t.reached(w)
	resp, err := t.send(u.next, req, w, d)
	t.again(d, w)
	return resp, err
}

// wait returns when the program rests.
func (u *users) wait(ctx context.Context, p point) error {
	g := gate{p, make(chan struct{})}
	select {
	case u.trial.gates <- g:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
