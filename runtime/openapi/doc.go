// Package openapi requests a server's OpenAPI v3 documents, undecoded.
//
// # Terms
//
// A server has an OpenAPI document for each group version, at a path such as "apis/apps/v1" or "api/v1". The
// index at /openapi/v3 lists the paths, each with a URL that contains a hash of the document: as long as the
// URL is the same, so is the document.
//
// # Operations
//
// [NewClient] creates a client from a REST client; the OpenAPIV3 method of discovery clients does the same.
// Paths requests the index, and Schema of one of its group versions the document, in JSON or in the protobuf
// encoding [ContentTypeOpenAPIV3PB]. Package cached keeps documents in memory.
//
// # Limits
//
// Documents are bytes. Decoding them takes the models of OpenAPI, several megabytes of code: package models
// has the calls that need them, so that only programs that import it link them.
package openapi
