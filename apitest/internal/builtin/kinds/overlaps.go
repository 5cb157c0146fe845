package kinds

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// A volumeFile is a file that a volume gets from a source.
type volumeFile struct{ path, source string }

func (f volumeFile) String() string {
	if f.source == "" {
		return fmt.Sprintf("%q", f.path)
	}
	return fmt.Sprintf("%q (%s)", f.path, f.source)
}

func filesOf(items []corev1.KeyToPath, source string) []volumeFile {
	var out []volumeFile
	for _, item := range items {
		out = append(out, volumeFile{item.Path, source})
	}
	return out
}

func downwardFilesOf(items []corev1.DownwardAPIVolumeFile, source string) []volumeFile {
	var out []volumeFile
	for _, item := range items {
		out = append(out, volumeFile{item.Path, source})
	}
	return out
}

// warnOverlaps returns the warnings about files of volumes that are in the place of another, or in it.
func warnOverlaps(volumes []corev1.Volume) []string {
	var out []string
	for _, v := range volumes {
		warn := func(what string, files []volumeFile) {
			for _, pair := range overlaps(files) {
				out = append(out, fmt.Sprintf("volume %q (%s): overlapping paths: %s with %s", v.Name, what, pair[0], pair[1]))
			}
		}
		if v.ConfigMap != nil {
			warn(fmt.Sprintf("ConfigMap %q", v.ConfigMap.Name), filesOf(v.ConfigMap.Items, ""))
		}
		if v.Secret != nil {
			warn(fmt.Sprintf("Secret %q", v.Secret.SecretName), filesOf(v.Secret.Items, ""))
		}
		if v.DownwardAPI != nil {
			warn("DownwardAPI", downwardFilesOf(v.DownwardAPI.Items, ""))
		}
		if v.Projected == nil {
			continue
		}
		var files []volumeFile
		for _, s := range v.Projected.Sources {
			if s == (corev1.VolumeProjection{}) {
				out = append(out, fmt.Sprintf("volume %q (Projected) has no sources provided", v.Name))
			}
			files = append(files, projectedFiles(&s)...)
		}
		warn("Projected", files)
	}
	return out
}

// projectedFiles returns the files that a projected volume gets from a source.
func projectedFiles(s *corev1.VolumeProjection) []volumeFile {
	switch {
	case s.ConfigMap != nil && s.ConfigMap.Items != nil:
		return filesOf(s.ConfigMap.Items, fmt.Sprintf("ConfigMap %q", s.ConfigMap.Name))
	case s.Secret != nil && s.Secret.Items != nil:
		return filesOf(s.Secret.Items, fmt.Sprintf("Secret %q", s.Secret.Name))
	case s.DownwardAPI != nil && s.DownwardAPI.Items != nil:
		return downwardFilesOf(s.DownwardAPI.Items, "DownwardAPI")
	case s.ServiceAccountToken != nil:
		return []volumeFile{{s.ServiceAccountToken.Path, "ServiceAccountToken"}}
	case s.ClusterTrustBundle != nil:
		name := s.ClusterTrustBundle.Name
		if name == nil {
			name = s.ClusterTrustBundle.SignerName
		}
		if name == nil {
			return nil
		}
		return []volumeFile{{s.ClusterTrustBundle.Path, fmt.Sprintf("ClusterTrustBundle %q", *name)}}
	case s.PodCertificate != nil:
		c := s.PodCertificate
		return []volumeFile{
			{c.CertificateChainPath, "PodCertificate chain"}, {c.KeyPath, "PodCertificate key"}, {c.CredentialBundlePath, "PodCertificate credential bundle"},
		}
	}
	return nil
}

// overlaps returns pairs of files, the later first, of which one is the other, or a directory that the other is in.
func overlaps(files []volumeFile) [][2]volumeFile {
	var out [][2]volumeFile
	for i := range files {
		files[i].path = strings.TrimRight(files[i].path, "/")
		for _, before := range files[:i] {
			a, b := files[i].path+"/", before.path+"/"
			if a != "/" && b != "/" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)) {
				out = append(out, [2]volumeFile{files[i], before})
			}
		}
	}
	return out
}
