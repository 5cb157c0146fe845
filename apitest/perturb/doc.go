// Package perturb finds bugs of controllers that show only if they crash or read at the wrong moment.
package perturb
