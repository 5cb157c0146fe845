package project

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/listwatch/listwatch/generators/model"
)

// hosts are the hosts of modules that are not domains of the modules' authors.
var hosts = []string{"bitbucket.org", "codeberg.org", "git.sr.ht", "gitea.com", "github.com", "gitlab.com"}

// Default returns an API for a module: for example.com/shop, the kind Shop in group shop.example.com. The domain of
// modules that have none of their own, such as github.com/acme/shop, is example.com.
func Default(modulePath string) API {
	base := path.Base(trimMajor(modulePath))
	host, _, _ := strings.Cut(modulePath, "/")
	label := strings.Trim(notLabel.ReplaceAllString(strings.ToLower(base), "-"), "-")
	group := label + ".example.com"
	switch {
	case host == base && strings.Contains(host, "."):
		group, base = host, strings.SplitN(host, ".", 2)[0]
	case strings.Contains(host, ".") && !slices.Contains(hosts, host):
		group = label + "." + host
	}
	return API{Module: modulePath, Group: group, Version: "v1", Kind: kindOf(base)}
}

// kindOf returns the kind for the last element of a module's path: Shop for shop-operator.
func kindOf(base string) string {
	parts := regexp.MustCompile(`[^A-Za-z0-9]+`).Split(base, -1)
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if n := len(parts); n > 1 && slices.Contains([]string{"operator", "controller"}, parts[n-1]) {
		parts = parts[:n-1]
	}
	kind := ""
	for _, p := range parts {
		kind += model.Title(p)
	}
	if !kindName.MatchString(kind) || taken(kind) != "" {
		return "Example"
	}
	return kind
}

// trimMajor returns a module path without its major version.
func trimMajor(modulePath string) string {
	prefix, _, _ := module.SplitPathVersion(modulePath)
	return prefix
}

// notLabel are the parts of a path, in lower case, that cannot be in a DNS label.
var notLabel = regexp.MustCompile(`[^a-z0-9]+`)

var (
	kindName    = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	versionName = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)
)

// reserved are the domains of Kubernetes' own groups.
var reserved = []string{"k8s.io", "kubernetes.io"}

// Check returns an error that lists everything wrong with the API, or nil.
func (a API) Check() error {
	return errors.Join(a.checkGroup(), a.checkVersion(), a.checkKind(), a.checkPlural())
}

func (a API) checkGroup() error {
	if problems := validation.IsDNS1123Subdomain(a.Group); len(problems) > 0 {
		return fmt.Errorf("--group: invalid API group %q: %s", a.Group, problems[0])
	}
	if !strings.Contains(a.Group, ".") {
		return fmt.Errorf("--group: invalid API group %q: add a domain of yours, as in %s.example.com", a.Group, a.Group)
	}
	for _, domain := range reserved {
		if a.Group == domain || strings.HasSuffix(a.Group, "."+domain) {
			return fmt.Errorf("--group: API group %q: groups below %s are Kubernetes' own; use a domain of yours", a.Group, domain)
		}
	}
	if label := a.label(); slices.Contains([]string{"internal", "testdata", "vendor"}, label) {
		return fmt.Errorf("--group: API group %q: a directory named %s has a meaning for the go command; begin the group with another word", a.Group, label)
	}
	if model.GroupGoName(a.Group, 1) == "" {
		return fmt.Errorf("--group: API group %q: begin it with a word that contains a letter", a.Group)
	}
	return nil
}

func (a API) checkVersion() error {
	if versionName.MatchString(a.Version) {
		return nil
	}
	return fmt.Errorf("--api-version: invalid version %q; want one such as v1, v1beta1 or v2alpha3", a.Version)
}

func (a API) checkKind() error {
	if !kindName.MatchString(a.Kind) {
		hint := "use letters and digits, and begin with an upper-case letter, as in WebSite"
		if title := model.Title(a.Kind); kindName.MatchString(title) {
			hint = "did you mean " + title + "?"
		}
		return fmt.Errorf("--kind: invalid kind %q; %s", a.Kind, hint)
	}
	if why := taken(a.Kind); why != "" {
		return fmt.Errorf("--kind: kind %s: %s; use another name", a.Kind, why)
	}
	if len(a.Kind) > validation.DNS1035LabelMaxLength {
		return fmt.Errorf("--kind: kind %s is longer than %d characters", a.Kind, validation.DNS1035LabelMaxLength)
	}
	return nil
}

// taken returns why a valid name cannot be a kind, or "".
func taken(kind string) string {
	switch {
	case slices.Contains(declared, kind):
		return "the API package declares this name for another purpose"
	case strings.HasSuffix(kind, "List") && kind != "List":
		return fmt.Sprintf("types whose names end in List are lists of other kinds, here of %s", strings.TrimSuffix(kind, "List"))
	case kind == "List":
		return "it is the name of Kubernetes' own lists"
	}
	return ""
}

// declared are the names that files of the API package declare, for any kind.
var declared = []string{
	"AddToScheme", "ConditionReady", "GroupName", "GroupVersion", "Install", "Kind", "Resource", "SchemeBuilder", "SchemeGroupVersion",
}

func (a API) checkPlural() error {
	if a.Plural == "" {
		return nil
	}
	if problems := validation.IsDNS1035Label(a.Plural); len(problems) > 0 {
		return fmt.Errorf("--plural: invalid resource name %q: %s", a.Plural, problems[0])
	}
	return nil
}
