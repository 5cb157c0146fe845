package apitest_test

import (
	"context"
	"fmt"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A program that needs an API server temporarily.
func ExampleNew() {
	srv, err := apitest.New(apitest.WithCRDs("testdata/crds"))
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	clients := versioned.NewForConfigOrDie(srv.Config())
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}, Spec: v1.BookSpec{Title: "Emma"}}
	book, err := clients.LibraryV1().Books("default").Create(context.Background(), emma, metav1.CreateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	book.Spec.Title = ""
	_, err = clients.LibraryV1().Books("default").Update(context.Background(), book, metav1.UpdateOptions{})
	fmt.Println(err)
	// Output: Book.library.example.com "emma" is invalid: spec.title: Invalid value: "": spec.title in body should be at least 1 chars long
}

// Objects can exist from the start, with their status.
func ExampleWithObjects() {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "one"}}
	node.Status.Phase = corev1.NodeRunning
	srv, err := apitest.New(apitest.WithObjects(node))
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	nodes := clientGo(srv).CoreV1().Nodes()
	node, err = nodes.Get(context.Background(), "one", metav1.GetOptions{})
	fmt.Println(node.Status.Phase, err)
	// Output: Running <nil>
}

// A controller can be tested with the permissions that its manifests grant.
func ExampleServer_ConfigFor() {
	srv, err := apitest.New(apitest.WithCRDs("testdata/crds"), apitest.WithObjects(
		&rbacv1.ClusterRole{
			ObjectMeta: metav1.ObjectMeta{Name: "librarian"},
			Rules: []rbacv1.PolicyRule{
				{APIGroups: []string{v1.GroupName}, Resources: []string{"books"}, Verbs: []string{"get", "list", "watch"}},
			},
		},
		&rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "librarian"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "librarian"},
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "library", Name: "controller"}},
		},
	))
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	clients := versioned.NewForConfigOrDie(srv.ConfigFor("system:serviceaccount:library:controller"))
	books := clients.LibraryV1().Books("default")
	_, err = books.List(context.Background(), metav1.ListOptions{})
	fmt.Println(err)
	err = books.Delete(context.Background(), "emma", metav1.DeleteOptions{})
	fmt.Println(apierrors.IsForbidden(err))
	// Output:
	// <nil>
	// true
}

// A kubeconfig is for clients of client-go, and for programs such as kubectl.
func ExampleServer_Kubeconfig() {
	srv, err := apitest.New()
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	kubeconfig, err := srv.Kubeconfig()
	if err != nil {
		log.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	version, err := kubernetes.NewForConfigOrDie(config).Discovery().ServerVersion()
	fmt.Println(version, err)
	// Output: v1.37.1 <nil>
}

// clientGo returns client-go's clients of a server.
func clientGo(srv *apitest.Server) kubernetes.Interface {
	kubeconfig, err := srv.Kubeconfig()
	if err != nil {
		log.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	return kubernetes.NewForConfigOrDie(config)
}

// A server that fails occasionally.
func ExampleServer_Faults() {
	srv, err := apitest.New(apitest.WithCRDs("testdata/crds"))
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	outage := srv.Faults().Inject(apitest.Rule{
		Match: apitest.Match{Verb: "create", Resource: "books"},
		Error: apierrors.NewServiceUnavailable("come back later"),
		Times: 1,
	})
	books := versioned.NewForConfigOrDie(srv.Config()).LibraryV1().Books("default")
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}, Spec: v1.BookSpec{Title: "Emma"}}
	_, err = books.Create(context.Background(), emma, metav1.CreateOptions{})
	fmt.Println(err)
	_, err = books.Create(context.Background(), emma, metav1.CreateOptions{})
	fmt.Println(err, outage.Hits())
	// Output:
	// come back later
	// <nil> 1
}

// What a controller requests can be asserted on.
func ExampleServer_Record() {
	srv, err := apitest.New(apitest.WithCRDs("testdata/crds"))
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	recording := srv.Record()
	books := versioned.NewForConfigOrDie(srv.Config()).LibraryV1().Books("default")
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}, Spec: v1.BookSpec{Title: "Emma"}}
	if emma, err = books.Create(context.Background(), emma, metav1.CreateOptions{}); err != nil {
		log.Fatal(err)
	}
	if _, err = books.Get(context.Background(), "emma", metav1.GetOptions{}); err != nil {
		log.Fatal(err)
	}
	if _, err = books.Update(context.Background(), emma, metav1.UpdateOptions{}); err != nil {
		log.Fatal(err)
	}
	// In a test: recording.Requests(apitest.Modifying).Expect(t, "create books default/emma", "update books default/emma")
	fmt.Print(recording.Requests(apitest.Modifying))
	// Output:
	// create books.library.example.com default/emma: 201 by admin
	// update books.library.example.com default/emma: 200 by admin, nothing written
}

// A test moves the server's clock instead of waiting.
func ExampleServer_Advance() {
	srv, err := apitest.New(apitest.WithTime(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)))
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	events := clientGo(srv).CoreV1().Events("default")
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: "one"},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "one"},
	}
	if event, err = events.Create(context.Background(), event, metav1.CreateOptions{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(event.CreationTimestamp.UTC())
	srv.Advance(time.Hour) // events are kept for an hour
	_, err = events.Get(context.Background(), "one", metav1.GetOptions{})
	fmt.Println(srv.Now().UTC(), apierrors.IsNotFound(err))
	// Output:
	// 2030-01-02 03:04:05 +0000 UTC
	// 2030-01-02 04:04:05 +0000 UTC true
}

// Tests that share a server begin with the same objects.
func ExampleServer_Restore() {
	srv, err := apitest.New()
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	initial := srv.Snapshot()
	namespaces := clientGo(srv).CoreV1().Namespaces()
	for range 2 {
		shop := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
		_, err = namespaces.Create(context.Background(), shop, metav1.CreateOptions{})
		fmt.Println(err)
		if err = srv.Restore(initial); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// <nil>
	// <nil>
}
