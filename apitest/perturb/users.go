package perturb

import (
	"encoding/json"
	"net/http"
)

// users is the connection of the users. Each of their writes waits until the program rests, so that runs are alike.
type users struct {
	trial *trial
	next  http.RoundTripper
}

// gate is a write of a user that waits.
type gate struct {
	point point
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
	case "get", "list", "watch":
		return u.next.RoundTrip(req)
	}
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	var sent partial
	_ = json.Unmarshal(body, &sent)
	w := t.begin(userActor, info, sent)
	g := gate{w.point, make(chan struct{})}
	select {
	case t.gates <- g:
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	select {
	case <-g.open:
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	if w.point == t.schedule.at {
		t.reached(info)
	}
	return t.send(u.next, req, w)
}
