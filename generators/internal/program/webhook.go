package program

import (
	"net/url"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/model"
)

// The service of webhooks without another one, as kubebuilder's kustomizations name it.
const (
	serviceName      = "webhook-service"
	serviceNamespace = "system"
)

// The values of arguments, as the API writes them.
var (
	operations     = []string{"CREATE", "UPDATE", "DELETE", "CONNECT", "*"}
	policies       = []string{"Ignore", "Fail"}
	matches        = []string{"Exact", "Equivalent"}
	sideEffects    = []string{"None", "NoneOnDryRun", "Some"}
	reinvocations  = []string{"Never", "IfNeeded"}
	reviewVersions = []string{"v1", "v1beta1"}
)

// webhook reads a marker +kubebuilder:webhook.
func (r *reader) webhook(m *kubemarker.Marker) {
	mutating, _ := m.Values["mutating"].(bool)
	w := mutatingWebhook{validatingWebhook: validatingWebhook{
		Name: m.Argument("name"),
		Rules: []operationRule{{
			Operations: spellings(m.Strings("verbs"), operations),
			Groups:     withCore(m.Strings("groups")), Versions: m.Strings("versions"), Resources: m.Strings("resources"),
		}},
		ReviewVersions: m.Strings("admissionReviewVersions"),
	}}
	policy, _ := spelling(m.Argument("failurePolicy"), policies)
	w.FailurePolicy = &policy
	w.MatchPolicy = r.choice(m, "matchPolicy", matches)
	w.SideEffects = r.choice(m, "sideEffects", sideEffects)
	if n, _ := m.Values["timeoutSeconds"].(int64); n != 0 {
		w.Timeout = &n
	}
	w.Reinvocation = r.reinvocation(m, mutating)
	for _, version := range m.Strings("webhookVersions") {
		if version != "v1" {
			r.Diags.Errorf(m.At("webhookVersions"), "unknown version %q of webhooks; servers accept only v1", version)
			return
		}
	}
	if !r.client(m, &w.ClientConfig) || !r.patch(m, mutating, &w) || !r.check(m, &w) {
		return
	}
	object, err := w.object(mutating)
	if err != nil {
		r.Diags.Errorf(m.Pos, "%v", err)
		return
	}
	r.to.Webhooks = append(r.to.Webhooks, model.Webhook{Name: w.Name, Mutating: mutating, Object: object, Pos: m.Pos})
}

// withCore returns API groups with the name of the core group, which is empty, for "core".
func withCore(groups []string) []string {
	var list []string
	for _, group := range groups {
		if group == "core" {
			group = ""
		}
		list = append(list, group)
	}
	return list
}

// spelling returns the choice that equals a value except for case, or the value itself; ok reports which.
func spelling(value string, choices []string) (string, bool) {
	if i := slices.IndexFunc(choices, func(c string) bool { return strings.EqualFold(c, value) }); i >= 0 {
		return choices[i], true
	}
	return value, false
}

func spellings(values, choices []string) []string {
	var list []string
	for _, v := range values {
		choice, _ := spelling(v, choices)
		list = append(list, choice)
	}
	return list
}

// choice returns the value of an argument that is one of several; nil if it is not set.
func (r *reader) choice(m *kubemarker.Marker, name string, choices []string) *string {
	value := m.Argument(name)
	if value == "" {
		return nil
	}
	value, ok := spelling(value, choices)
	if !ok {
		r.Diags.Errorf(m.At(name), "unknown value %q of %s; want one of %s", value, name, strings.Join(choices, ", "))
		return &choices[0] // so that no other error follows
	}
	return &value
}

// reinvocation returns the value of reinvocationPolicy. controller-gen leaves out others than those that it knows.
func (r *reader) reinvocation(m *kubemarker.Marker, mutating bool) *string {
	value := m.Argument("reinvocationPolicy")
	if value == "" {
		return nil
	}
	if !mutating {
		r.Diags.Warnf(m.At("reinvocationPolicy"), "reinvocationPolicy has no effect on a validating webhook; remove it")
		return nil
	}
	value, ok := spelling(value, reinvocations)
	if !ok {
		r.Diags.Warnf(m.At("reinvocationPolicy"), "unknown value %q of reinvocationPolicy has no effect; want one of %s", value, strings.Join(reinvocations, ", "))
		return nil
	}
	return &value
}

// client sets where a webhook is served: at a path of a service, or at a URL.
func (r *reader) client(m *kubemarker.Marker, c *clientConfig) bool {
	path, at := m.Argument("path"), m.Argument("url")
	switch {
	case path != "" && at != "":
		r.Diags.Errorf(m.At("url"), "webhook has a path and a url; remove one of them")
		return false
	case path == "" && at == "":
		r.Diags.Errorf(m.Pos, "webhook has neither a path nor a url; add one, as in path=/validate-example-com-v1-shoe")
		return false
	case at != "":
		c.URL = &at
		return true
	}
	c.Service = &service{Name: serviceName, Namespace: serviceNamespace, Path: &path}
	if name := m.Argument("serviceName"); name != "" {
		c.Service.Name = name
	}
	if namespace := m.Argument("serviceNamespace"); namespace != "" {
		c.Service.Namespace = namespace
	}
	if port, ok := m.Values["servicePort"].(int64); ok {
		c.Service.Port = &port
	}
	return true
}

// check reports whether a webhook can be generated, and what API servers refuse in it.
func (r *reader) check(m *kubemarker.Marker, w *mutatingWebhook) bool {
	ok := true
	fail := func(argument, format string, args ...any) {
		r.Diags.Errorf(m.At(argument), format, args...)
		ok = false
	}
	switch {
	case w.SideEffects == nil || *w.SideEffects == "":
		fail("sideEffects", "webhook has no sideEffects; add sideEffects=None, or NoneOnDryRun")
	case *w.SideEffects == "Some" || *w.SideEffects == "Unknown":
		fail("sideEffects", "servers accept no webhooks with the side effects %s; write None or NoneOnDryRun, and let the webhook have none in dry runs", *w.SideEffects)
	}
	if w.Timeout != nil && (*w.Timeout < 1 || *w.Timeout > 30) {
		fail("timeoutSeconds", "timeoutSeconds is %d; want 1 to 30", *w.Timeout)
	}
	if len(w.ReviewVersions) == 0 {
		fail("admissionReviewVersions", "webhook has no admissionReviewVersions; add admissionReviewVersions=v1")
	}
	if !ok {
		return false
	}
	r.checkRules(m, w)
	if why := validation.IsFullyQualifiedName(nil, w.Name); len(why) > 0 {
		r.Diags.Suspectf(m.At("name"), "invalid name %q of a webhook, which API servers refuse: %s", w.Name, why[0].Detail)
	}
	if w.FailurePolicy != nil && !slices.Contains(policies, *w.FailurePolicy) {
		r.Diags.Suspectf(m.At("failurePolicy"), "unknown value %q of failurePolicy, which API servers refuse; want one of %s", *w.FailurePolicy, strings.Join(policies, ", "))
	}
	if !slices.ContainsFunc(w.ReviewVersions, func(v string) bool { return slices.Contains(reviewVersions, v) }) {
		r.Diags.Suspectf(m.At("admissionReviewVersions"), "admissionReviewVersions has none of the versions that API servers send; add v1")
	}
	if why := w.ClientConfig.fault(); why != "" {
		r.Diags.Suspectf(m.At("path"), "%s, which API servers refuse", why)
	}
	return true
}

// checkRules checks the rules of a webhook as API servers do.
func (r *reader) checkRules(m *kubemarker.Marker, w *mutatingWebhook) {
	for _, rule := range w.Rules {
		for _, list := range []struct {
			argument string
			values   []string
		}{{"verbs", rule.Operations}, {"groups", rule.Groups}, {"versions", rule.Versions}, {"resources", rule.Resources}} {
			at := m.At(list.argument)
			switch {
			case len(list.values) == 0:
				r.Diags.Suspectf(at, "webhook has no %s, which API servers refuse; add some, or * for all", list.argument)
			case list.argument != "resources" && len(list.values) > 1 && slices.Contains(list.values, "*"):
				r.Diags.Suspectf(at, "%s has * and others, which API servers refuse; remove the others", list.argument)
			case list.argument != "groups" && slices.Contains(list.values, ""):
				r.Diags.Suspectf(at, "%s has an empty value, which API servers refuse; remove it", list.argument)
			}
		}
		for _, operation := range rule.Operations {
			if operation != "" && !slices.Contains(operations, operation) {
				r.Diags.Suspectf(m.At("verbs"), "unknown verb %q of a webhook, which API servers refuse; want some of create, update, delete, connect, or *", operation)
			}
		}
	}
}

// fault returns what API servers refuse about the place of a webhook, or "".
func (c clientConfig) fault() string {
	if c.URL != nil {
		u, err := url.Parse(*c.URL)
		switch {
		case err != nil || u.Scheme != "https" || u.Host == "":
			return "url is not like https://host:port/path"
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			return "url has more than a host and a path"
		}
	}
	if c.Service == nil {
		return ""
	}
	if p := c.Service.Port; p != nil && (*p < 1 || *p > 65535) {
		return "servicePort is not between 1 and 65535"
	}
	if c.Service.Path == nil || *c.Service.Path == "/" {
		return ""
	}
	rest, ok := strings.CutPrefix(*c.Service.Path, "/")
	if !ok {
		return "path does not start with /"
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(rest, "/"), "/") {
		if why := validation.IsDNS1123Subdomain(part); len(why) > 0 {
			return "path contains " + `"` + part + `"` + ": " + why[0]
		}
	}
	return ""
}

// configuration reads a marker +kubebuilder:webhookconfiguration.
func (r *reader) configuration(m *kubemarker.Marker) {
	i, name, kind := 1, &r.to.ValidatingName, "validating"
	if mutating, _ := m.Values["mutating"].(bool); mutating {
		i, name, kind = 0, &r.to.MutatingName, "mutating"
	}
	if r.configured[i] != nil {
		r.Diags.Errorf(m.Pos, "package has two markers +%s for %s webhooks; remove one of them", m.Name, kind)
		return
	}
	r.configured[i] = m
	own := m.Argument("name")
	if why := validation.IsDNS1123Subdomain(own); own != "" && len(why) > 0 {
		r.Diags.Suspectf(m.At("name"), "invalid name %q, which API servers refuse: %s", own, why[0])
	}
	if *name != "" && *name != own {
		r.Diags.Warnf(m.Pos, "marker contradicts that of another package, which names the configuration of %s webhooks %q; use one name", kind, *name)
	}
	*name = own
}

// unique reports webhooks of one name in one configuration, which API servers refuse.
func unique(m *model.Manifests, diags *diag.List) {
	type key struct {
		name     string
		mutating bool
	}
	first := map[key]model.Webhook{}
	for _, w := range m.Webhooks {
		k := key{w.Name, w.Mutating}
		other, again := first[k]
		if !again {
			first[k] = w
			continue
		}
		diags.Suspectf(w.Pos, "webhook has the name %s, as that at %s:%d, which API servers refuse; rename one of them", w.Name, other.Pos.Filename, other.Pos.Line)
	}
}
