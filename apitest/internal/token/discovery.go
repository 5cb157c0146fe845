package token

import (
	"encoding/json"
	"net/http"
)

// Paths of the documents by which others verify tokens.
const (
	ConfigurationPath = "/.well-known/openid-configuration"
	KeysPath          = "/openid/v1/jwks"
)

// Discovery serves the configuration of the issuer of a server at an address, as OpenID Connect Discovery says, and
// its keys. Other paths than [ConfigurationPath] and [KeysPath] are not found.
func Discovery(address string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(ConfigurationPath, only(func(w http.ResponseWriter) {
		serve(w, "application/json", map[string]any{
			"issuer":                                Server,
			"jwks_uri":                              "https://" + address + KeysPath,
			"response_types_supported":              []string{"id_token"},
			"subject_types_supported":               []string{"public"},
			"id_token_signing_alg_values_supported": []string{algorithm},
		})
	}))
	mux.HandleFunc(KeysPath, only(func(w http.ResponseWriter) {
		key, err := signer()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		serve(w, "application/jwk-set+json", map[string]any{"keys": []any{key.jwk()}})
	}))
	return mux
}

// only returns a handler of GET. Like the real server's, its response to another method has no text.
func only(get func(http.ResponseWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		if req.Method != http.MethodGet {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		get(w)
	}
}

// serve responds with a document, which clients may keep for an hour.
func serve(w http.ResponseWriter, kind string, document any) {
	data, err := json.Marshal(document)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write(data)
}
