package apitest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/plugins"
)

const (
	enablePlugins  = "enable-admission-plugins"
	disablePlugins = "disable-admission-plugins"
)

// otherPlugins are kube-apiserver's admission plugins that are not part of the server, or have an effect that cannot
// be disabled.
var otherPlugins = []string{
	"AlwaysAdmit", "AlwaysDeny", "AlwaysPullImages", "CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction",
	"ClusterTrustBundleAttest", "DefaultIngressClass", "DefaultStorageClass", "DenyServiceExternalIPs", "EventRateLimit",
	"ExtendedResourceToleration", "ImagePolicyWebhook", "LimitPodHardAntiAffinityTopology", "MutatingAdmissionPolicy",
	"NamespaceAutoProvision", "NamespaceExists", "NodeDeclaredFeatureValidator", "NodeRestriction",
	"OwnerReferencesPermissionEnforcement", "PersistentVolumeClaimResize", "PodGroupProtection", "PodNodeSelector", "PodResizeValidator",
	"PodSecurity", "PodTolerationRestriction", "PodTopologyLabels", "RuntimeClass", "ServiceAccount",
}

// plugins returns an option that disables admission plugins, and the names of those that a command line enables and
// that are not part of the server.
func (f flags) plugins() (without Option, missing []string, err error) {
	enabled, err := f.pluginNames(enablePlugins)
	if err != nil {
		return nil, nil, err
	}
	disabled, err := f.pluginNames(disablePlugins)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range enabled {
		if slices.Contains(disabled, name) {
			return nil, nil, fmt.Errorf("--%s: %s is also in --%s", enablePlugins, name, disablePlugins)
		}
		if slices.Contains(otherPlugins, name) {
			missing = append(missing, name)
		}
	}
	return func(o *options) { o.withoutPlugins = disabled }, missing, nil
}

// pluginNames returns the names of admission plugins in a flag, which must be kube-apiserver's.
func (f flags) pluginNames(flag string) ([]string, error) {
	var names []string
	for _, value := range f[flag] {
		for name := range strings.SplitSeq(value, ",") {
			switch name = strings.TrimSpace(name); {
			case name == "":
			case slices.Contains(plugins.Names(), name), slices.Contains(otherPlugins, name):
				names = append(names, name)
			default:
				return nil, fmt.Errorf("--%s: unknown plugin %q", flag, name)
			}
		}
	}
	return names, nil
}
