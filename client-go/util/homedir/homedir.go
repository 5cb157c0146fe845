// Package homedir finds the home directory of the current user.
package homedir

import (
	"os"
	"path/filepath"
	"runtime"
)

// HomeDir returns the home directory of the current user, "" if the environment has none. It is $HOME, except on
// Windows: there it is the first of HOME, HOMEDRIVE with HOMEPATH, and USERPROFILE with a file .kube\config. If none
// has one, it is the first of HOME, USERPROFILE, and HOMEDRIVE with HOMEPATH that can be written to, otherwise the
// first that exists, otherwise the first that is set.
func HomeDir() string {
	if runtime.GOOS != "windows" {
		return os.Getenv("HOME")
	}
	return onWindows(os.Getenv)
}

// onWindows is HomeDir on Windows, in an environment.
func onWindows(getenv func(string) string) string {
	home, profile, drivePath := getenv("HOME"), getenv("USERPROFILE"), ""
	if drive, path := getenv("HOMEDRIVE"), getenv("HOMEPATH"); drive != "" && path != "" {
		drivePath = drive + path
	}
	hasConfig := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, ".kube", "config"))
		return err == nil
	}
	exists := func(dir string) bool {
		_, err := os.Stat(dir)
		return err == nil
	}
	isWritable := func(dir string) bool {
		info, err := os.Stat(dir)
		return err == nil && info.IsDir() && info.Mode().Perm()&0o200 != 0
	}
	isSet := func(string) bool { return true }
	if dir := first(hasConfig, home, drivePath, profile); dir != "" {
		return dir
	}
	for _, is := range []func(string) bool{isWritable, exists, isSet} {
		if dir := first(is, home, profile, drivePath); dir != "" {
			return dir
		}
	}
	return ""
}

// first returns the first directory that is set and has a property, "" if there is none.
func first(has func(string) bool, dirs ...string) string {
	for _, dir := range dirs {
		if dir != "" && has(dir) {
			return dir
		}
	}
	return ""
}
