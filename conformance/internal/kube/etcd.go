package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
)

// etcdSocket is etcd's address, in the server's directory.
func etcdSocket(dir string) string { return filepath.Join(dir, "etcd.sock") }

// etcdFlags returns the flags of a single etcd that stores its data, and listens, in dir.
func etcdFlags(dir string) []string {
	client := "unix://" + etcdSocket(dir)
	peer := "unix://" + filepath.Join(dir, "peer.sock")
	return []string{
		"--name=kube", "--data-dir=" + filepath.Join(dir, "etcd"),
		"--listen-client-urls=" + client, "--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=kube=" + peer,
		"--unsafe-no-fsync", "--log-level=error",
	}
}

// etcdClient uses etcd's JSON gateway. It keeps no connections open.
type etcdClient struct{ http *http.Client }

func newEtcdClient(dir string) etcdClient {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", etcdSocket(dir))
	}
	return etcdClient{&http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}}
}

// healthy returns an error while etcd does not serve.
func (c etcdClient) healthy(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://etcd/health", nil)
	if err != nil {
		return err
	}
	return expectOK(c.http, req)
}

// lastCompacted is the key under which kube-apiserver stores the revision to which etcd was last
// compacted.
const lastCompacted = "compact_rev_key"

// compact removes all history. It writes a key first, because the latest revision is not history.
func (c etcdClient) compact(ctx context.Context) error {
	before, err := c.call(ctx, "kv/range", rangeRequest{Key: []byte(lastCompacted)})
	if err != nil {
		return err
	}
	after, err := c.call(ctx, "kv/put", putRequest{
		Key:   []byte(lastCompacted),
		Value: strconv.AppendInt(nil, before, 10),
	})
	if err != nil {
		return err
	}
	_, err = c.call(ctx, "kv/compaction", compactionRequest{Revision: after, Physical: true})
	return err
}

// Requests in the gateway's form: bytes are in base64, 64-bit numbers in strings.
type (
	rangeRequest struct {
		Key []byte `json:"key"`
	}
	putRequest struct {
		Key   []byte `json:"key"`
		Value []byte `json:"value"`
	}
	compactionRequest struct {
		Revision int64 `json:"revision,string"`
		Physical bool  `json:"physical"`
	}
)

// call sends a request, and returns etcd's revision at the time of the response.
func (c etcdClient) call(ctx context.Context, method string, request any) (revision int64, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return 0, fmt.Errorf("etcd %s: %w", method, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://etcd/v3/"+method, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("etcd %s: %w", method, err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, fmt.Errorf("etcd %s: %w", method, err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return 0, fmt.Errorf("etcd %s: %w", method, err)
	}
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("etcd %s: %s: %s", method, resp.Status, data)
	}
	var answer struct {
		Header struct {
			Revision int64 `json:"revision,string"`
		} `json:"header"`
	}
	if err = json.Unmarshal(data, &answer); err != nil {
		return 0, fmt.Errorf("etcd %s: %w", method, err)
	}
	return answer.Header.Revision, nil
}
