package main

import "example.test/requests/drive"

// more runs what only this tree has, or what needs its Go types by name.
func more(r *drive.Recorder) error {
	for _, scenario := range []func(*drive.Recorder) error{
		construct, nilClients, typedHandlers, constructors, conversions, options, resync, unsynced, lateInformer,
	} {
		if err := scenario(r); err != nil {
			return err
		}
	}
	return nil
}
