package marker

import "github.com/listwatch/listwatch/generators/internal/diag"

// edit returns the edit that replaces a part of a marker, or none if the new text is empty. At is
// the offset of the part, counted from the plus sign.
func edit(t Tag, at int, old, new string) []diag.Edit {
	if new == "" {
		return nil
	}
	return []diag.Edit{{Line: t.Pos.Line, Column: t.Pos.Column + at, Old: old, New: new}}
}

// rename returns the edit that gives a marker another name.
func rename(t Tag, name string) []diag.Edit { return edit(t, len("+"), t.Name, name) }

// editValue is edit for a part of the value; at is the offset in the value.
func editValue(t Tag, at int, old, new string) []diag.Edit {
	return edit(t, len("+"+t.Name+"=")+at, old, new)
}

// removeValue returns the edit that removes the equals sign and the value.
func removeValue(t Tag) []diag.Edit {
	return []diag.Edit{{Line: t.Pos.Line, Column: t.Pos.Column + len("+"+t.Name), Old: "=" + t.Value}}
}

// add returns the edit that adds a marker on the line above.
func add(t Tag, text string) []diag.Edit {
	return []diag.Edit{{Line: t.Pos.Line, Column: t.Pos.Column, New: text + "\n"}}
}
