package execplugin

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

func entries(commands ...string) []api.AllowlistEntry {
	list := []api.AllowlistEntry{}
	for _, command := range commands {
		list = append(list, api.AllowlistEntry{Command: command})
	}
	return list
}

func TestPolicyMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		policy api.PluginPolicy
		want   string
	}{
		"unknown":            {api.PluginPolicy{PolicyType: "Some"}, "unknown plugin policy"},
		"list without need":  {api.PluginPolicy{Allowlist: entries("a")}, "allowlist is non-nil"},
		"empty, without":     {api.PluginPolicy{PolicyType: api.PluginPolicyDenyAll, Allowlist: entries()}, "allowlist is non-nil"},
		"no list":            {api.PluginPolicy{PolicyType: api.PluginPolicyAllowlist}, "unspecified"},
		"empty list":         {api.PluginPolicy{PolicyType: api.PluginPolicyAllowlist, Allowlist: entries()}, "empty"},
		"empty entry":        {api.PluginPolicy{PolicyType: api.PluginPolicyAllowlist, Allowlist: entries("a", "")}, "entry #2"},
		"path not clean":     {api.PluginPolicy{PolicyType: api.PluginPolicyAllowlist, Allowlist: entries("/a/../b")}, "non-normalized"},
		"good: all by name":  {api.PluginPolicy{PolicyType: api.PluginPolicyAllowAll}, ""},
		"good: none":         {api.PluginPolicy{PolicyType: api.PluginPolicyDenyAll}, ""},
		"good: not reported": {api.PluginPolicy{}, ""},
		"good: with entries": {api.PluginPolicy{PolicyType: api.PluginPolicyAllowlist, Allowlist: entries("a", "/b")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newPolicy(test.policy)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestAllowlist(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(dir, "tool"), filepath.Join(other, "tool")} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	for name, test := range map[string]struct {
		command string
		list    []api.AllowlistEntry
		want    bool
	}{
		"same name":               {"tool", entries("tool"), true},
		"name, path listed":       {"tool", entries(filepath.Join(dir, "tool")), true},
		"path, name listed":       {filepath.Join(dir, "tool"), entries("tool"), true},
		"same path":               {filepath.Join(dir, "tool"), entries(filepath.Join(dir, "tool")), true},
		"one of several":          {"tool", entries("a", "b", "tool"), true},
		"another tool's name":     {"tool", entries("other"), false},
		"name, other path listed": {"tool", entries(filepath.Join(other, "tool")), false},
		"other path, name listed": {filepath.Join(other, "tool"), entries("tool"), false},
		"not found":               {"missing", entries("tool"), false},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := newPolicy(api.PluginPolicy{PolicyType: api.PluginPolicyAllowlist, Allowlist: test.list})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.check(exec.Command(test.command), test.command); (err == nil) != test.want {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestInteractive(t *testing.T) {
	const never, available, always = api.NeverExecInteractiveMode, api.IfAvailableExecInteractiveMode, api.AlwaysExecInteractiveMode
	for name, test := range map[string]struct {
		mode           api.ExecInteractiveMode
		terminal, busy bool
		want           bool
		err            string
	}{
		"never":               {never, true, false, false, ""},
		"available":           {available, true, false, true, ""},
		"available, busy":     {available, true, true, false, ""},
		"available, no tty":   {available, false, false, false, ""},
		"always":              {always, true, false, true, ""},
		"always, busy":        {always, true, true, false, "unavailable: reading"},
		"always, no terminal": {always, false, false, false, "not a terminal"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := interactive(&api.ExecConfig{
				InteractiveMode: test.mode, StdinUnavailable: test.busy, StdinUnavailableMessage: "reading",
			}, test.terminal)
			if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}
