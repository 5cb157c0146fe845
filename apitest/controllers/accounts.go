package controllers

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
)

const (
	defaultAccount = "default"
	rootCA         = "kube-root-ca.crt"
	rootCAKey      = "ca.crt"
	rootCANote     = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. " +
		"No other usage is guaranteed across distributions of Kubernetes clusters."
	noteKey = "kubernetes.io/description"
)

// ServiceAccounts maintains, in every namespace, the service account "default" and the ConfigMap "kube-root-ca.crt",
// which verifies the server. It gives tokens to secrets of type kubernetes.io/service-account-token, and deletes
// those whose service account does not exist.
func ServiceAccounts() embedded.Controller { return &accounts{} }

type accounts struct{}

// Reconcile implements embedded.Controller.
func (*accounts) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	names := map[string]bool{}
	for _, change := range changes {
		switch {
		case isCore(change, "namespaces"):
			names[change.Object.Name] = true
		case isCore(change, "serviceaccounts"), isCore(change, "configmaps") && change.Object.Name == rootCA, isCore(change, "secrets"):
			names[change.Object.Namespace] = true
		}
	}
	var errs []error
	for name := range names {
		errs = append(errs, furnish(ctx, cluster, name))
	}
	return errors.Join(errs...)
}

// furnish creates what a namespace lacks.
func furnish(ctx context.Context, cluster *embedded.Cluster, name string) error {
	core := cluster.Clients.CoreV1()
	ns, err := core.Namespaces().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || err == nil && ns.DeletionTimestamp != nil {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = core.ServiceAccounts(name).Get(ctx, defaultAccount, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = core.ServiceAccounts(name).Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: defaultAccount}}, metav1.CreateOptions{})
	}
	return errors.Join(err, publish(ctx, cluster, name), fillSecrets(ctx, cluster, name))
}

// publish creates or corrects the ConfigMap with the authorities of the server.
func publish(ctx context.Context, cluster *embedded.Cluster, namespace string) error {
	maps := cluster.Clients.CoreV1().ConfigMaps(namespace)
	data := map[string]string{rootCAKey: string(cluster.CA)}
	found, err := maps.Get(ctx, rootCA, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = maps.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: rootCA, Annotations: map[string]string{noteKey: rootCANote}},
			Data:       data,
		}, metav1.CreateOptions{})
		return err
	}
	if err != nil || len(found.Data) == 1 && found.Data[rootCAKey] == data[rootCAKey] && found.Annotations[noteKey] != "" {
		return err
	}
	found.Data = data
	if found.Annotations == nil {
		found.Annotations = map[string]string{}
	}
	found.Annotations[noteKey] = rootCANote
	_, err = maps.Update(ctx, found, metav1.UpdateOptions{})
	return ignore(err)
}

// fillSecrets completes the secrets that contain tokens.
func fillSecrets(ctx context.Context, cluster *embedded.Cluster, namespace string) error {
	core := cluster.Clients.CoreV1()
	secrets, err := core.Secrets(namespace).List(ctx, metav1.ListOptions{FieldSelector: "type=" + string(corev1.SecretTypeServiceAccountToken)})
	if err != nil {
		return err
	}
	var errs []error
	for i := range secrets.Items {
		errs = append(errs, fillSecret(ctx, cluster, &secrets.Items[i]))
	}
	return errors.Join(errs...)
}

func fillSecret(ctx context.Context, cluster *embedded.Cluster, secret *corev1.Secret) error {
	core := cluster.Clients.CoreV1()
	name := secret.Annotations[corev1.ServiceAccountNameKey]
	account, err := core.ServiceAccounts(secret.Namespace).Get(ctx, name, metav1.GetOptions{})
	uid := secret.Annotations[corev1.ServiceAccountUIDKey]
	if apierrors.IsNotFound(err) || err == nil && uid != "" && uid != string(account.UID) {
		return ignore(core.Secrets(secret.Namespace).Delete(ctx, secret.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &secret.UID}}))
	}
	if err != nil || len(secret.Data[corev1.ServiceAccountTokenKey]) > 0 {
		return err
	}
	request, err := core.ServiceAccounts(secret.Namespace).CreateToken(ctx, name, &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{
			BoundObjectRef:    &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Secret", Name: secret.Name, UID: secret.UID},
			ExpirationSeconds: new(int64(1 << 32)), // they do not expire in a cluster
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	secret.Annotations[corev1.ServiceAccountUIDKey] = string(account.UID)
	secret.Data = map[string][]byte{
		corev1.ServiceAccountTokenKey:     []byte(request.Status.Token),
		corev1.ServiceAccountNamespaceKey: []byte(secret.Namespace),
		corev1.ServiceAccountRootCAKey:    cluster.CA,
	}
	_, err = core.Secrets(secret.Namespace).Update(ctx, secret, metav1.UpdateOptions{})
	return ignore(err)
}
