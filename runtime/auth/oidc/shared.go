package oidc

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"sync"
)

// shared contains the providers of this process.
var shared = &providers{byKey: map[key]*provider{}}

// key is a digest of a cluster and a configuration without the ID token.
type key [sha256.Size]byte

// providers lets clients with equal configurations share a provider: a refresh token may be usable only once. A
// provider whose refresh token was replaced is found by the new one, too.
type providers struct {
	mu    sync.Mutex // guards byKey, and added of the providers
	byKey map[key]*provider
}

func keyOf(cluster string, config map[string]string) key {
	config = maps.Clone(config)
	delete(config, keyIDToken)
	text, _ := json.Marshal(struct { // strings and maps of strings can be encoded
		Cluster string
		Config  map[string]string
	}{cluster, config})
	return sha256.Sum256(text)
}

// get returns the provider of config, created by create if there is none.
func (s *providers) get(cluster string, config map[string]string, create func() (*provider, error)) (*provider, error) {
	k := keyOf(cluster, config)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.byKey[k]; p != nil {
		return p, nil
	}
	p, err := create()
	if err != nil {
		return nil, err
	}
	s.byKey[k] = p
	return p, nil
}

// add makes p the provider of config, too, and no longer that of the config of an earlier call.
func (s *providers) add(cluster string, config map[string]string, p *provider) {
	k := keyOf(cluster, config)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byKey[k] != nil {
		return
	}
	if s.byKey[p.added] == p {
		delete(s.byKey, p.added)
	}
	s.byKey[k], p.added = p, k
}
