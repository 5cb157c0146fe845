package validation

import (
	"fmt"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var windowsChecks = map[string]check{
	"credential-text": of(func(text *string, at *field.Path) field.ErrorList {
		switch n := len(*text); {
		case n == 0:
			return field.ErrorList{field.Invalid(at, *text, "gmsaCredentialSpec cannot be an empty string")}
		case n > 64<<10:
			return field.ErrorList{field.Invalid(at, *text, "gmsaCredentialSpec size must be under 64 KiB")}
		}
		return nil
	}),
	"windows-user":       of(windowsUser),
	"windows-privileges": of(windowsPrivileges),
}

var (
	controlCharacters = regexp.MustCompile(`[[:cntrl:]]`)
	netBIOSName       = regexp.MustCompile(`^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$`)
)

// windowsUser checks the name of a user, which may follow that of a domain and a backslash.
func windowsUser(name *string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	wrong := func(format string, args ...any) {
		errs = append(errs, field.Invalid(at, *name, "runAsUserName"+fmt.Sprintf(format, args...)))
	}
	switch {
	case *name == "":
		wrong(" cannot be an empty string")
		return errs
	case controlCharacters.MatchString(*name):
		wrong(" cannot contain control characters")
		return errs
	case strings.Count(*name, `\`) > 1:
		wrong(" cannot contain more than one backslash")
		return errs
	}
	domain, user, ok := strings.Cut(*name, `\`)
	if !ok {
		domain, user = "", *name
	}
	if len(domain) >= 256 {
		wrong("'s Domain length must be under %d characters", 256)
	}
	if ok && !netBIOSName.MatchString(domain) && !isDomain(domain) {
		wrong("'s Domain doesn't match the NetBios nor the DNS format")
	}
	switch {
	case user == "":
		wrong("'s User cannot be empty")
	case len(user) > 104:
		wrong("'s User length must not be longer than %d characters", 104)
	}
	if user != "" && strings.Trim(user, ". ") == "" {
		wrong("'s User cannot contain only periods or spaces")
	}
	if strings.ContainsAny(user, `"/\:;|=,+*?<>@[]`) {
		wrong(`'s User cannot contain the following characters: "/\:;|=,+*?<>@[]`)
	}
	return errs
}

// isDomain reports whether a name is one of DNS, in letters of any case.
func isDomain(name string) bool {
	for label := range strings.SplitSeq(strings.ToLower(name), ".") {
		if len(utilvalidation.IsDNS1123Label(label)) > 0 {
			return false
		}
	}
	return true
}

// osSettings checks that a pod has nothing that the operating system which it names lacks.
func osSettings(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	if s.OS == nil {
		return nil
	}
	switch s.OS.Name {
	case corev1.Linux:
		return linuxSettings(s, at)
	case corev1.Windows:
		return windowsSettings(s, at)
	}
	return nil
}

func linuxSettings(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	forbid := func(at *field.Path) {
		errs = append(errs, field.Forbidden(at.Child("securityContext", "windowsOptions"), "windows options cannot be set for a linux pod"))
	}
	if c := s.SecurityContext; c != nil && c.WindowsOptions != nil {
		forbid(at)
	}
	for here, c := range EachContainer(s, at) {
		if c.SecurityContext != nil && c.SecurityContext.WindowsOptions != nil {
			forbid(here)
		}
	}
	return errs
}

func windowsSettings(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	forbid := func(set bool, at *field.Path) {
		if set {
			errs = append(errs, field.Forbidden(at, "cannot be set for a windows pod"))
		}
	}
	if c, context := s.SecurityContext, at.Child("securityContext"); c != nil {
		forbid(c.AppArmorProfile != nil, context.Child("appArmorProfile"))
		forbid(c.SELinuxOptions != nil, context.Child("seLinuxOptions"))
		forbid(c.SeccompProfile != nil, context.Child("seccompProfile"))
		forbid(c.FSGroup != nil, context.Child("fsGroup"))
		forbid(c.FSGroupChangePolicy != nil, context.Child("fsGroupChangePolicy"))
		forbid(len(c.Sysctls) > 0, context.Child("sysctls"))
		forbid(c.RunAsUser != nil, context.Child("runAsUser"))
		forbid(c.RunAsGroup != nil, context.Child("runAsGroup"))
		forbid(c.SupplementalGroups != nil, context.Child("supplementalGroups"))
		forbid(c.SupplementalGroupsPolicy != nil, context.Child("supplementalGroupsPolicy"))
		forbid(c.SELinuxChangePolicy != nil, context.Child("seLinuxChangePolicy"))
	}
	forbid(s.HostUsers != nil, at.Child("hostUsers"))
	forbid(s.HostPID, at.Child("hostPID"))
	forbid(s.HostIPC, at.Child("hostIPC"))
	forbid(s.ShareProcessNamespace != nil, at.Child("shareProcessNamespace"))
	for here, c := range EachContainer(s, at) {
		c, context := c.SecurityContext, here.Child("securityContext")
		if c == nil {
			continue
		}
		forbid(c.AppArmorProfile != nil, context.Child("appArmorProfile"))
		forbid(c.SELinuxOptions != nil, context.Child("seLinuxOptions"))
		forbid(c.SeccompProfile != nil, context.Child("seccompProfile"))
		forbid(c.Capabilities != nil, context.Child("capabilities"))
		forbid(c.ReadOnlyRootFilesystem != nil, context.Child("readOnlyRootFilesystem"))
		forbid(c.Privileged != nil, context.Child("privileged"))
		forbid(c.AllowPrivilegeEscalation != nil, context.Child("allowPrivilegeEscalation"))
		forbid(c.ProcMount != nil, context.Child("procMount"))
		forbid(c.RunAsUser != nil, context.Child("runAsUser"))
		forbid(c.RunAsGroup != nil, context.Child("runAsGroup"))
	}
	return errs
}

// windowsPrivileges checks that either all containers of a pod are processes of the host, in its network, or none.
func windowsPrivileges(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var ofPod *bool
	if c := s.SecurityContext; c != nil && c.WindowsOptions != nil {
		ofPod = c.WindowsOptions.HostProcess
	}
	var errs field.ErrorList
	all, privileged := 0, 0
	for here, c := range EachContainer(s, at) {
		all++
		own := ofPod
		if c.SecurityContext != nil && c.SecurityContext.WindowsOptions != nil && c.SecurityContext.WindowsOptions.HostProcess != nil {
			own = c.SecurityContext.WindowsOptions.HostProcess
			if ofPod != nil && *own != *ofPod {
				errs = append(errs, field.Invalid(here.Child("securityContext", "windowsOptions", "hostProcess"), *own,
					fmt.Sprintf("pod hostProcess value must be identical if both are specified, was %v", *ofPod)))
			}
		}
		if own != nil && *own {
			privileged++
		}
	}
	if privileged == 0 {
		return errs
	}
	if privileged != all {
		errs = append(errs, field.Invalid(at, "", "If pod contains any hostProcess containers then all containers must be HostProcess containers"))
	}
	if !s.HostNetwork {
		errs = append(errs, field.Invalid(at.Child("hostNetwork"), false, "hostNetwork must be true if pod contains any hostProcess containers"))
	}
	return errs
}
