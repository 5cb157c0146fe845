package clientcmd

import (
	"os"
	"path/filepath"
	"runtime"
)

// homeDirectory returns the user's home directory, or "". On Windows, there are several candidates: the first
// with a kubeconfig is used, or else the first directory that can be written to, or else the first that exists, or
// else the first that is set.
func homeDirectory() string {
	home := os.Getenv("HOME")
	if runtime.GOOS != "windows" {
		return home
	}
	profile, drive := os.Getenv("USERPROFILE"), ""
	if os.Getenv("HOMEDRIVE") != "" && os.Getenv("HOMEPATH") != "" {
		drive = os.Getenv("HOMEDRIVE") + os.Getenv("HOMEPATH")
	}
	for _, dir := range []string{home, drive, profile} {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, RecommendedHomeDir, RecommendedFileName)); err == nil {
			return dir
		}
	}
	set, existing := "", ""
	for _, dir := range []string{home, profile, drive} {
		if dir == "" {
			continue
		}
		fill(&set, dir)
		info, err := os.Stat(dir)
		if err != nil {
			continue
		}
		fill(&existing, dir)
		if info.IsDir() && info.Mode().Perm()&0o200 != 0 {
			return dir
		}
	}
	fill(&existing, set)
	return existing
}

// earlierFileName is the name of RecommendedHomeFile in early releases.
func earlierFileName() string {
	if runtime.GOOS == "windows" {
		return RecommendedFileName
	}
	return ".kubeconfig"
}
