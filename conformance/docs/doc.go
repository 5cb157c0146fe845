// Package docs contains the tests that compare documents with what they describe.
//
//   - readme: the commands and code blocks of README.md and of the guides, as a user would run them
//   - compatibility: the API of the runtime with client-go's, and which differences docs/compatibility.md explains
//   - snippets: code in doc comments and documents, which must compile
//
// The target conformance-peers runs them.
package docs
