package cli

import "github.com/listwatch/listwatch/generators"

// Informer binds the flags of informers to options.
func (f *Flags) Informer(options *generators.InformerOptions) {
	f.set.StringVar(&options.VersionedClientset, "versioned-clientset-package", "", "import `path` of the clientset that informers use (default: clientset/versioned next to the output)")
	f.set.StringVar(&options.InternalClientset, "internal-clientset-package", "", "import `path` of the clientset for internal versions (default: --versioned-clientset-package)")
	f.set.StringVar(&options.Listers, "listers-package", "", "import `path` of the listers (default: listers next to the output)")
	f.SingleDirectory(&options.SingleDirectory)
}

// SingleDirectory binds the flag that flattens the directories of informers.
func (f *Flags) SingleDirectory(single *bool) {
	f.set.BoolVar(single, "single-directory", false, "generate informers without the directories externalversions and internalversion")
}
