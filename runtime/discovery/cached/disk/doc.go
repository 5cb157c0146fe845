// Package disk caches what a discovery client returns, in files that outlive the process.
//
// # Terms
//
// The discovery directory contains servergroups.json with all groups, and for each group version
// GROUP/VERSION/serverresources.json with its resources. These are client-go's and kubectl's names and content,
// so that they can share a directory. A file is used until it is older than the client's time to live. The HTTP
// directory contains responses with their validators (ETag), so that a request for an unchanged document costs
// a 304, or nothing if the server allows that; OpenAPI documents are cached there only. Both directories belong
// to one server.
//
// # Operations
//
// [NewCachedDiscoveryClientForConfig] creates a client. [CachedDiscoveryClient.Invalidate] makes it ignore all
// files but those that it writes from then on.
//
// # Safety
//
// A directory that other users may write to is refused with [ErrNotPrivate]: whoever writes there decides which
// requests a program sends. So is one that belongs to another user, other than root. Files are ignored under the
// same conditions, such as kubectl's, which its group may write; they are replaced. Directories are created with
// mode 0700 and files with 0600, whatever the umask is; a file appears under its name when it is complete.
// Systems without Unix permissions are trusted to have private directories.
//
// The names of group versions come from the server. Only names that Kubernetes allows become names of files,
// and files are opened below the directory ([os.Root]), so that neither they nor symbolic links lead outside.
// Files contain groups, resources, documents, and the response headers that caching needs: no request header
// and no other response header, so no credentials.
//
// # Limits
//
// Files that cannot be read or written are skipped, with a line in the log at verbosity 1. Nothing removes files
// of the HTTP directory. The server's version is not cached.
package disk
