package model

import (
	"go/token"
	"slices"
)

// Manifests are what the markers of a module request for its programs: permissions and webhooks.
type Manifests struct {
	// Module is the module; the zero Module for packages without one.
	Module Module
	// Permissions and Webhooks are in the order of the source: by import path, file and position.
	Permissions []Permission
	Webhooks    []Webhook
	// MutatingName and ValidatingName are the names of the configurations of webhooks; empty for the default names.
	MutatingName, ValidatingName string
}

// Permission is what one marker +kubebuilder:rbac grants.
type Permission struct {
	// Groups, Resources, ResourceNames, Verbs and URLs are as in the marker.
	Groups, Resources, ResourceNames, Verbs, URLs []string
	// Namespace is the namespace of the role; empty for a cluster role.
	Namespace string
	// RoleName is the name of the role; empty for the default one.
	RoleName string
	// Pos is the position of the marker.
	Pos token.Position
}

// Webhook is an admission webhook, of one marker +kubebuilder:webhook.
type Webhook struct {
	Name string
	// Mutating reports whether it is in the MutatingWebhookConfiguration, and not in the validating one.
	Mutating bool
	// Object is the webhook in JSON, in the form of admissionregistration.k8s.io/v1.
	Object map[string]any
	// Pos is the position of the marker.
	Pos token.Position
}

func (m *Manifests) clone() *Manifests {
	c := *m
	c.Permissions = slices.Clone(m.Permissions)
	for i, p := range c.Permissions {
		p.Groups, p.Resources, p.ResourceNames = slices.Clone(p.Groups), slices.Clone(p.Resources), slices.Clone(p.ResourceNames)
		p.Verbs, p.URLs = slices.Clone(p.Verbs), slices.Clone(p.URLs)
		c.Permissions[i] = p
	}
	c.Webhooks = slices.Clone(m.Webhooks)
	for i, w := range c.Webhooks {
		c.Webhooks[i].Object, _ = cloneJSON(w.Object).(map[string]any)
	}
	return &c
}
