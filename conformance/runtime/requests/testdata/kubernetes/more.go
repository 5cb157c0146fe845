package main

import "example.test/requests/drive"

// scenarios are what only this tree has, or what needs its Go types by name. The
// files that hold them add them.
var scenarios []func(*drive.Recorder) error

func more(_ drive.Tree, r *drive.Recorder) error {
	for _, scenario := range scenarios {
		if err := scenario(r); err != nil {
			return err
		}
	}
	return nil
}
