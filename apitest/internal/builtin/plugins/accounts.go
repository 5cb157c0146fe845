package plugins

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/storage/names"
)

const (
	defaultAccount = "default"
	tokenVolume    = "kube-api-access-" // prefix of the names of volumes with a token
	tokenPath      = "/var/run/secrets/kubernetes.io/serviceaccount"
	tokenSeconds   = 60*60 + 7
	mirrorPod      = corev1.MirrorPodAnnotationKey
)

// serviceAccounts gives pods their service account, which must exist, with its token and secrets for images.
func serviceAccounts(o Options) admission.Interface {
	s := &accounts{o.Reader}
	return &rule{operations: onWrite, admit: s.admit, validate: s.validate}
}

type accounts struct{ reader stores.Reader }

func (s *accounts) admit(ctx context.Context, a admission.Attributes) error {
	pod, ok := written[corev1.Pod](a)
	if !ok || a.GetOperation() != admission.Create {
		return nil
	}
	if _, mirror := pod.Annotations[mirrorPod]; mirror {
		return s.validate(ctx, a)
	}
	if pod.Spec.ServiceAccountName == "" {
		pod.Spec.ServiceAccountName, pod.Spec.DeprecatedServiceAccount = defaultAccount, defaultAccount
	}
	account, err := s.account(ctx, a, pod)
	if err != nil {
		return err
	}
	if mounts(account, pod) {
		mountToken(pod)
	}
	if len(pod.Spec.ImagePullSecrets) == 0 {
		pod.Spec.ImagePullSecrets = slices.Clone(account.ImagePullSecrets)
	}
	return s.validate(ctx, a)
}

// account returns the service account of a pod. Without it, the request is rejected.
func (s *accounts) account(ctx context.Context, a admission.Attributes, pod *corev1.Pod) (*corev1.ServiceAccount, error) {
	name := pod.Spec.ServiceAccountName
	if name == "" {
		return nil, admission.NewForbidden(a, fmt.Errorf("no service account specified for pod %s/%s", a.GetNamespace(), pod.Name))
	}
	object, err := s.reader.Get(ctx, corev1.SchemeGroupVersion.WithResource("serviceaccounts"), a.GetNamespace(), name)
	if apierrors.IsNotFound(err) {
		err = apierrors.NewNotFound(corev1.Resource("serviceaccount"), name)
	}
	if err != nil {
		return nil, admission.NewForbidden(a, fmt.Errorf("error looking up service account %s/%s: %w", a.GetNamespace(), name, err))
	}
	account, ok := object.(*corev1.ServiceAccount)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("service account %s is a %T", name, object))
	}
	return account, nil
}

// mounts reports whether a pod gets a token: as the pod demands, or else its account.
func mounts(account *corev1.ServiceAccount, pod *corev1.Pod) bool {
	for _, mount := range []*bool{pod.Spec.AutomountServiceAccountToken, account.AutomountServiceAccountToken} {
		if mount != nil {
			return *mount
		}
	}
	return true
}

// mountToken adds a volume with a token, and mounts it in each container that has no other mount at its path.
func mountToken(pod *corev1.Pod) {
	existing := slices.IndexFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return strings.HasPrefix(v.Name, tokenVolume) })
	mount := corev1.VolumeMount{ReadOnly: true, MountPath: tokenPath}
	if existing >= 0 {
		mount.Name = pod.Spec.Volumes[existing].Name
	} else {
		mount.Name = names.SimpleNameGenerator.GenerateName(tokenVolume)
	}
	needed := false
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			c := &containers[i]
			if !slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == tokenPath }) {
				c.VolumeMounts = append(c.VolumeMounts, mount)
				needed = true
			}
		}
	}
	if needed && existing < 0 {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{
			Name: mount.Name, VolumeSource: corev1.VolumeSource{Projected: tokenSource()},
		})
	}
}

// tokenSource is what a container gets to connect to the server: a token, the server's authority and the namespace.
func tokenSource() *corev1.ProjectedVolumeSource {
	return &corev1.ProjectedVolumeSource{
		DefaultMode: new(corev1.ProjectedVolumeSourceDefaultMode),
		Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: new(int64(tokenSeconds))}},
			{ConfigMap: &corev1.ConfigMapProjection{
				LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"},
				Items:                []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}},
			}},
			{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{{
				Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.namespace"},
			}}}},
		},
	}
}

func (s *accounts) validate(ctx context.Context, a admission.Attributes) error {
	if pod, ok := part[corev1.Pod](a, "ephemeralcontainers"); ok && a.GetOperation() == admission.Update {
		account, err := s.account(ctx, a, pod)
		if err != nil || !limitsSecrets(account) {
			return err
		}
		return checkSecrets(account, "ephemeral container", validation.AsContainers(pod.Spec.EphemeralContainers))
	}
	pod, ok := written[corev1.Pod](a)
	if !ok || a.GetOperation() != admission.Create {
		return nil
	}
	if _, mirror := pod.Annotations[mirrorPod]; mirror {
		if err := checkMirror(pod); err != nil {
			return admission.NewForbidden(a, err)
		}
		return nil
	}
	account, err := s.account(ctx, a, pod)
	if err != nil || !limitsSecrets(account) {
		return err
	}
	if err = checkReferences(account, pod); err != nil {
		return admission.NewForbidden(a, err)
	}
	return nil
}

// limitsSecrets reports whether pods of an account may only refer to its secrets.
func limitsSecrets(account *corev1.ServiceAccount) bool {
	limits, err := strconv.ParseBool(account.Annotations[kinds.EnforceSecrets])
	return err == nil && limits
}

// checkReferences checks that the secrets of a pod are those of its account.
func checkReferences(account *corev1.ServiceAccount, pod *corev1.Pod) error {
	for i := range pod.Spec.Volumes {
		if s := pod.Spec.Volumes[i].Secret; s != nil && !hasSecret(account, s.SecretName) {
			return fmt.Errorf("volume with secret.secretName=%q is not allowed because service account %s does not reference that secret", s.SecretName, account.Name)
		}
	}
	if err := checkSecrets(account, "init container", pod.Spec.InitContainers); err != nil {
		return err
	}
	if err := checkSecrets(account, "container", pod.Spec.Containers); err != nil {
		return err
	}
	for i, secret := range pod.Spec.ImagePullSecrets {
		if !slices.Contains(account.ImagePullSecrets, secret) {
			return fmt.Errorf("imagePullSecrets[%d].name=%q is not allowed because service account %s does not reference that imagePullSecret", i, secret.Name, account.Name)
		}
	}
	return nil
}

func hasSecret(account *corev1.ServiceAccount, name string) bool {
	return slices.ContainsFunc(account.Secrets, func(s corev1.ObjectReference) bool { return s.Name == name })
}

// checkSecrets checks the secrets in the environment of containers.
func checkSecrets(account *corev1.ServiceAccount, kind string, containers []corev1.Container) error {
	const reason = "referencing secret.secretName=%q is not allowed because service account %s does not reference that secret"
	for i := range containers {
		c := &containers[i]
		for _, env := range c.Env {
			if env.ValueFrom != nil && env.ValueFrom.SecretKeyRef != nil && !hasSecret(account, env.ValueFrom.SecretKeyRef.Name) {
				return fmt.Errorf("%s %s with envVar %s "+reason, kind, c.Name, env.Name, env.ValueFrom.SecretKeyRef.Name, account.Name)
			}
		}
		for _, env := range c.EnvFrom {
			if env.SecretRef != nil && !hasSecret(account, env.SecretRef.Name) {
				return fmt.Errorf("%s %s with envFrom "+reason, kind, c.Name, env.SecretRef.Name, account.Name)
			}
		}
	}
	return nil
}

// checkMirror checks a mirror pod, which the kubelet creates from a file: it refers to nothing that is in the server.
func checkMirror(pod *corev1.Pod) error {
	if pod.Spec.ServiceAccountName != "" {
		return errors.New("a mirror pod may not reference service accounts")
	}
	if refersToSecrets(pod) {
		return errors.New("a mirror pod may not reference secrets")
	}
	for i := range pod.Spec.Volumes {
		if p := pod.Spec.Volumes[i].Projected; p != nil &&
			slices.ContainsFunc(p.Sources, func(s corev1.VolumeProjection) bool { return s.ServiceAccountToken != nil }) {
			return errors.New("a mirror pod may not use ServiceAccountToken volume projections")
		}
	}
	return nil
}

// refersToSecrets reports whether a pod has the name of a secret anywhere.
func refersToSecrets(pod *corev1.Pod) bool {
	containers := slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers, validation.AsContainers(pod.Spec.EphemeralContainers))
	return slices.ContainsFunc(pod.Spec.ImagePullSecrets, func(s corev1.LocalObjectReference) bool { return s.Name != "" }) ||
		checkSecrets(&corev1.ServiceAccount{}, "", containers) != nil ||
		slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return volumeSecret(&v.VolumeSource) })
}

// volumeSecret reports whether a volume has the name of a secret.
func volumeSecret(v *corev1.VolumeSource) bool {
	switch {
	case v.AzureFile != nil:
		return v.AzureFile.SecretName != ""
	case v.CephFS != nil:
		return named(v.CephFS.SecretRef)
	case v.Cinder != nil:
		return named(v.Cinder.SecretRef)
	case v.FlexVolume != nil:
		return named(v.FlexVolume.SecretRef)
	case v.Projected != nil:
		return slices.ContainsFunc(v.Projected.Sources, func(s corev1.VolumeProjection) bool { return s.Secret != nil && s.Secret.Name != "" })
	case v.RBD != nil:
		return named(v.RBD.SecretRef)
	case v.Secret != nil:
		return v.Secret.SecretName != ""
	case v.ScaleIO != nil:
		return named(v.ScaleIO.SecretRef)
	case v.ISCSI != nil:
		return named(v.ISCSI.SecretRef)
	case v.StorageOS != nil:
		return named(v.StorageOS.SecretRef)
	case v.CSI != nil:
		return named(v.CSI.NodePublishSecretRef)
	}
	return false
}

func named(secret *corev1.LocalObjectReference) bool { return secret != nil && secret.Name != "" }
