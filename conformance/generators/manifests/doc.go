// Package manifests compares the roles of gen-rbac and the configurations of webhooks of gen-webhook with controller-gen's, as
// texts.
//
// # Terms
//
// A case is a package whose comments contain markers. Its output is equal if it is the same text, except for the first line, which
// names the generator.
//
// # Limits
//
// Of rules whose verbs alone differ once they are combined, controller-gen keeps one, at random. Roles that differ for this reason are
// compared by what they grant.
package manifests
