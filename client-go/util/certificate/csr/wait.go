package csr

import (
	"context"
	"fmt"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// WaitForCertificate waits until a request is approved and signed, and returns the certificate as PEM. A request that
// is denied, fails, is deleted, or is replaced by another with its name is an error. If the context ends, the error is
// one for which [wait.Interrupted] returns true.
func WaitForCertificate(ctx context.Context, client kubernetes.Interface, reqName string, reqUID types.UID) (certData []byte, err error) {
	source, kind, err := find(ctx, client, reqName)
	if err != nil {
		return nil, err
	}
	_, err = watchtools.UntilWithSync(ctx, source, kind, nil, func(event watch.Event) (bool, error) {
		if event.Type == watch.Deleted {
			return false, fmt.Errorf("csr %q was deleted", reqName)
		}
		if event.Type != watch.Added && event.Type != watch.Modified {
			return false, nil
		}
		var request *certificatesv1.CertificateSigningRequest
		switch obj := event.Object.(type) {
		case *certificatesv1.CertificateSigningRequest:
			request = obj
		case *certificatesv1beta1.CertificateSigningRequest:
			request = fromV1beta1(obj)
		default:
			return false, fmt.Errorf("unexpected type received: %T", event.Object)
		}
		if request.UID != reqUID {
			return false, fmt.Errorf("csr %q changed UIDs", request.Name)
		}
		issued, failure := isIssued(request)
		if issued {
			klog.FromContext(ctx).V(2).Info("Certificate signing request is issued", "csr", request.Name)
			certData = request.Status.Certificate
		}
		return issued, failure
	})
	switch {
	case wait.Interrupted(err):
		return nil, wait.ErrorInterrupted(nil)
	case err != nil:
		return nil, wrap("cannot watch on the certificate signing request", err)
	default:
		return certData, nil
	}
}

// isIssued reports whether a request is approved and signed.
func isIssued(request *certificatesv1.CertificateSigningRequest) (bool, error) {
	isApproved := false
	for _, c := range request.Status.Conditions {
		switch c.Type {
		case certificatesv1.CertificateDenied:
			return false, fmt.Errorf("certificate signing request is denied, reason: %v, message: %v", c.Reason, c.Message)
		case certificatesv1.CertificateFailed:
			return false, fmt.Errorf("certificate signing request failed, reason: %v, message: %v", c.Reason, c.Message)
		case certificatesv1.CertificateApproved:
			isApproved = true
		}
	}
	return isApproved && len(request.Status.Certificate) > 0, nil
}

// find returns what lists and watches a request: v1 or v1beta1, the first that the server can list. While it can
// list neither, both are tried each second.
func find(ctx context.Context, client kubernetes.Interface, name string) (cache.ListerWatcher, runtime.Object, error) {
	selector := fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()
	v1, v1beta1 := client.CertificatesV1().CertificateSigningRequests(), client.CertificatesV1beta1().CertificateSigningRequests()
	candidates := []struct {
		kind   runtime.Object
		source *cache.ListWatch
	}{
		{&certificatesv1.CertificateSigningRequest{}, selected(selector, v1.List, v1.Watch)},
		{&certificatesv1beta1.CertificateSigningRequest{}, selected(selector, v1beta1.List, v1beta1.Watch)},
	}
	for {
		for _, c := range candidates {
			_, err := c.source.ListWithContext(ctx, metav1.ListOptions{})
			if err == nil {
				return cache.ToListWatcherWithWatchListSemantics(c.source, client), c.kind, nil
			}
			klog.FromContext(ctx).V(2).Info("Failed to list certificate signing requests", "type", fmt.Sprintf("%T", c.kind), "err", err)
			if ctx.Err() != nil {
				return nil, nil, wait.ErrorInterrupted(nil)
			}
		}
		select {
		case <-ctx.Done():
			return nil, nil, wait.ErrorInterrupted(nil)
		case <-time.After(time.Second):
		}
	}
}

// selected lists and watches the objects that a field selector selects.
func selected[L runtime.Object](
	selector string,
	list func(context.Context, metav1.ListOptions) (L, error),
	watches func(context.Context, metav1.ListOptions) (watch.Interface, error),
) *cache.ListWatch {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = selector
			return list(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = selector
			return watches(ctx, options)
		},
	}
}
