package cli

import "github.com/listwatch/listwatch/generators"

// Informer binds the flags about informers; their values go to options.
func (f *Flags) Informer(options *generators.InformerOptions) {
	f.set.StringVar(&options.VersionedClientset, "versioned-clientset-package", "", "import `path` of the clientset that informers use (default: clientset/versioned beside the output)")
	f.set.StringVar(&options.InternalClientset, "internal-clientset-package", "", "import `path` of the clientset for internal versions (default: the same)")
	f.set.StringVar(&options.Listers, "listers-package", "", "import `path` of the listers (default: listers beside the output)")
	f.SingleDirectory(&options.SingleDirectory)
}

// SingleDirectory binds the flag about the folders of informers.
func (f *Flags) SingleDirectory(single *bool) {
	f.set.BoolVar(single, "single-directory", false, "leave out the folders externalversions and internalversion")
}
