package migration

import (
	"path"
	"slices"
	"strings"
)

// Tree is a directory of client-go whose packages have one counterpart each, of the same path below
// a directory of ours.
type Tree struct {
	// Theirs is a path below k8s.io/client-go, and Ours one below this module.
	Theirs, Ours string
	// Packages are the paths of the packages below both.
	Packages []string
}

// Name is the name of the tree in [Decisions]: its path in client-go, followed by /... .
func (t Tree) Name() string { return t.Theirs + allBelow }

// allBelow, at the end of a path, stands for all packages below it.
const allBelow = "/..."

// Pairs returns the tree's packages as pairs.
func (t Tree) Pairs() []Pair {
	var pairs []Pair
	for _, p := range t.Packages {
		pairs = append(pairs, Pair{path.Join(t.Theirs, p), []string{path.Join(t.Ours, p)}})
	}
	return pairs
}

// Trees are the clients of the built-in API. A version that is not in them is not in client-go v0.37
// either: Kubernetes has dropped it.
var Trees = []Tree{
	{"kubernetes", "kubernetes", slices.Concat([]string{".", "fake", "scheme"},
		prefixed("typed/", versions(listed, unlisted)), suffixed(prefixed("typed/", versions(listed, unlisted)), "/fake"))},
	{"informers", "kubernetes/informers", slices.Concat([]string{".", "internalinterfaces"}, groups(listed), versions(listed))},
	{"listers", "kubernetes/listers", versions(listed, "imagepolicy v1alpha1")},
	{"applyconfigurations", "kubernetes/applyconfigurations", slices.Concat([]string{"."}, versions(listed, "imagepolicy v1alpha1"))},
}

// listed are the groups of k8s.io/api with the versions whose kinds can be listed. The kinds of
// those in unlisted are only created.
const (
	listed = `admissionregistration v1 v1alpha1 v1beta1
apiserverinternal v1alpha1
apps v1 v1beta1 v1beta2
autoscaling v1 v2
batch v1 v1beta1
certificates v1 v1alpha1 v1beta1
coordination v1 v1alpha2 v1beta1
core v1
discovery v1 v1beta1
events v1 v1beta1
extensions v1beta1
flowcontrol v1 v1beta1 v1beta2 v1beta3
lifecycle v1alpha1
networking v1 v1beta1
node v1 v1alpha1 v1beta1
policy v1 v1beta1
rbac v1 v1alpha1 v1beta1
resource v1 v1alpha3 v1beta1 v1beta2
scheduling v1 v1alpha3 v1beta1
storage v1 v1alpha1 v1beta1
storagemigration v1 v1beta1`
	unlisted = `authentication v1 v1alpha1 v1beta1
authorization v1 v1beta1`
)

// groups returns the first word of each line.
func groups(lines string) []string {
	var all []string
	for line := range strings.Lines(lines) {
		all = append(all, strings.Fields(line)[0])
	}
	return all
}

// versions returns the other words of each line below the first one.
func versions(lists ...string) []string {
	var all []string
	for line := range strings.Lines(strings.Join(lists, "\n")) {
		words := strings.Fields(line)
		all = append(all, prefixed(words[0]+"/", words[1:])...)
	}
	return all
}

func prefixed(prefix string, paths []string) []string {
	var all []string
	for _, p := range paths {
		all = append(all, prefix+p)
	}
	return all
}

func suffixed(paths []string, suffix string) []string {
	var all []string
	for _, p := range paths {
		all = append(all, p+suffix)
	}
	return all
}
