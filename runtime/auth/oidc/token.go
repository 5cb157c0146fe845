package oidc

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// maxDocument limits the size of a discovery document in bytes.
const maxDocument = 1 << 20

// tokens are the result of a refresh. The refresh token is empty if it did not change.
type tokens struct {
	id, refresh secret.String
}

// requestToken requests new tokens with the refresh token of config.
func requestToken(client *http.Client, config map[string]string) (tokens, error) {
	old := config[keyRefreshToken]
	if old == "" {
		return tokens{}, fmt.Errorf("no valid %s, and cannot refresh without %s", keyIDToken, keyRefreshToken)
	}
	endpoint, err := tokenEndpoint(client, config[keyIssuer])
	if err != nil {
		return tokens{}, err
	}
	oauth := oauth2.Config{
		ClientID:     config[keyClientID],
		ClientSecret: config[keyClientSecret],
		Endpoint:     oauth2.Endpoint{TokenURL: endpoint},
	}
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, client)
	token, err := oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: old}).Token()
	if err != nil {
		return tokens{}, fmt.Errorf("failed to refresh token: %w", withoutResponse(err))
	}
	id, ok := token.Extra("id_token").(string)
	if !ok {
		return tokens{}, errors.New("token response did not contain an id_token, either the scope \"openid\" wasn't requested upon login, or the provider doesn't support id_tokens as part of the refresh response")
	}
	return tokens{id: secret.New(id), refresh: secret.New(token.RefreshToken)}, nil
}

// oauthErrors are the error codes of RFC 6749, section 5.2.
var oauthErrors = []string{"invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope"}

// withoutResponse returns err without what the identity provider sent, except a well-known error code.
func withoutResponse(err error) error {
	var response *oauth2.RetrieveError
	if errors.As(err, &response) {
		status := "invalid response"
		if response.Response != nil {
			status = fmt.Sprintf("response status %d", response.Response.StatusCode)
		}
		if slices.Contains(oauthErrors, response.ErrorCode) {
			return fmt.Errorf("%s: %s", status, response.ErrorCode)
		}
		return errors.New(status)
	}
	var network *url.Error
	if errors.As(err, &network) {
		return withoutQuery(network)
	}
	return errors.New("invalid response")
}

// withoutQuery returns err with a URL that contains no credentials.
func withoutQuery(err *url.Error) error {
	return &url.Error{Op: err.Op, URL: secret.Host(err.URL), Err: err.Err}
}

// tokenEndpoint returns the URL for tokens in the discovery document of issuer (OpenID Connect Discovery 1.0,
// section 4).
func tokenEndpoint(client *http.Client, issuer string) (string, error) {
	resp, err := client.Get(strings.TrimSuffix(issuer, "/") + "/.well-known/openid-configuration")
	if err != nil {
		var network *url.Error
		if errors.As(err, &network) {
			err = withoutQuery(network)
		}
		return "", fmt.Errorf("failed to query the discovery document: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("failed to query the discovery document: response status %d", resp.StatusCode)
	}
	var document struct {
		TokenEndpoint string `json:"token_endpoint"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxDocument)).Decode(&document); err != nil {
		return "", errors.New("failed to decode the discovery document: it is not valid JSON")
	}
	if document.TokenEndpoint == "" {
		return "", errors.New("the discovery document does not contain a token_endpoint")
	}
	return document.TokenEndpoint, nil
}

// expiry returns when an ID token expires. It does not verify the token: the server does.
func expiry(token string) (time.Time, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return time.Time{}, errors.New("not a valid JWT")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return time.Time{}, errors.New("not a valid JWT: the payload is not base64")
	}
	var claims struct {
		Expiry json.Number `json:"exp"`
	}
	if err = json.Unmarshal(payload, &claims); err != nil {
		return time.Time{}, errors.New("not a valid JWT: the claims cannot be read")
	}
	if claims.Expiry == "" {
		return time.Time{}, nil
	}
	seconds, err := claims.Expiry.Float64() // some issuers write a fraction
	if err != nil {
		return time.Time{}, errors.New("not a valid JWT: the claims cannot be read")
	}
	return time.Unix(int64(seconds), 0), nil
}
