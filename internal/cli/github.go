package cli

import (
	"fmt"
	"path/filepath"
	"strings"
)

// annotator prints messages as workflow commands, which GitHub Actions shows as annotations of a commit.
// The log of a job shows only the text of a command, without its file and line, so the text contains both:
// each line reads the same in the log as in other formats.
//
// The syntax is GitHub's: https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
type annotator struct {
	workspace string // the directory that files of annotations are relative to
}

// commands maps severities to the names of workflow commands.
var commands = map[severity]string{
	severityError:   "error",
	severityWarning: "warning",
	severityNote:    "notice",
}

func (a annotator) diagnostic(d diagnostic) string {
	var properties []string
	if d.pos.Filename != "" {
		properties = append(properties, "file="+property(a.file(d.pos.Filename)))
	}
	if d.pos.Line > 0 {
		properties = append(properties, fmt.Sprintf("line=%d", d.pos.Line))
	}
	if d.pos.Line > 0 && d.pos.Column > 0 {
		properties = append(properties, fmt.Sprintf("col=%d", d.pos.Column))
	}
	return workflowCommand(commands[d.severity], properties, d.String())
}

func (a annotator) stale(c change) string {
	return workflowCommand("error", []string{"file=" + property(a.file(c.path))}, c.String())
}

func (annotator) failure(tool string, err error) string {
	return workflowCommand("error", nil, plain{}.failure(tool, err))
}

// file returns the path of a file relative to the workspace, if it is below it.
func (a annotator) file(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for _, workspace := range []string{a.workspace, resolved(a.workspace)} {
		if rel, err := filepath.Rel(workspace, abs); workspace != "" && err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// resolved returns path without symbolic links, or path itself if it does not exist.
func resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// workflowCommand returns a workflow command with escaped properties and a message.
func workflowCommand(name string, properties []string, message string) string {
	if len(properties) > 0 {
		name += " " + strings.Join(properties, ",")
	}
	return "::" + name + "::" + data.Replace(message)
}

// data escapes the message of a workflow command.
var data = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// property escapes the value of a property, where more characters have a meaning.
func property(value string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data.Replace(value))
}
