package corpus

import (
	"context"
	"slices"

	"github.com/listwatch/listwatch/apitest/perturb"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const finalizer = "example.com/secret"

// finalized runs a controller that deletes its secret before its config map is deleted.
func finalized(cleanup func(o *Operator, cm *corev1.ConfigMap) error) Program {
	return process(func(o *Operator, name string) error {
		cached, err := o.CachedConfigMaps.Get(name)
		if err != nil || cached.Labels["request"] == "" {
			return nil
		}
		cm := cached.DeepCopy()
		has := slices.Contains(cm.Finalizers, finalizer)
		switch {
		case cm.DeletionTimestamp != nil && !has:
			return nil
		case cm.DeletionTimestamp != nil:
			return cleanup(o, cm)
		case !has:
			cm.Finalizers = append(cm.Finalizers, finalizer)
			return o.update(cm)
		}
		// The cache may show what was deleted long ago; nobody would delete the secret of that.
		now, err := o.ConfigMaps.Get(o.ctx, name, metav1.GetOptions{})
		if err != nil || now.UID != cm.UID || now.DeletionTimestamp != nil {
			return missing(err)
		}
		if err := exists(o.create(cm, name+"-s")); err != nil {
			return err
		}
		return o.mark(cm, "ready", "yes")
	})
}

// release removes the finalizer.
func (o *Operator) release(cm *corev1.ConfigMap) error {
	cm.Finalizers = slices.DeleteFunc(cm.Finalizers, func(f string) bool { return f == finalizer })
	return missing(o.update(cm))
}

// fill sets the content of a secret.
func fill(name string) Step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		_, err := kube.CoreV1().Secrets("default").Patch(ctx, name, "application/merge-patch+json", []byte(`{"data":{"content":"eA=="}}`), metav1.PatchOptions{})
		return err
	}
}

// ofOther adds or removes a finalizer of somebody else.
func ofOther(name string, set string) Step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		_, err := kube.CoreV1().ConfigMaps("default").Patch(ctx, name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":`+set+`}}`), metav1.PatchOptions{})
		return err
	}
}

// clean is the correct cleanup.
func clean(o *Operator, cm *corev1.ConfigMap) error {
	if err := missing(o.delete(cm.Name + "-s")); err != nil {
		return err
	}
	return o.release(cm)
}

// finalizerBugs show in deletions.
var finalizerBugs = []Case{
	{
		Name:  "what is missing cannot be deleted",
		Users: []Step{ask("a"), withdraw()},
		Wrong: finalized(func(o *Operator, cm *corev1.ConfigMap) error {
			if err := o.delete(cm.Name + "-s"); err != nil {
				return err
			}
			return o.release(cm)
		}),
		Mended: finalized(clean),
	},
	{
		Name:  "finalizer removed first",
		Users: []Step{ask("a"), withdraw()},
		Wrong: finalized(func(o *Operator, cm *corev1.ConfigMap) error {
			if err := o.release(cm); err != nil {
				return err
			}
			return missing(o.delete(cm.Name + "-s"))
		}),
		Mended: finalized(clean),
	},
	{
		Name:  "an error of the cleanup is ignored",
		Users: []Step{ask("a"), withdraw()},
		Wrong: finalized(func(o *Operator, cm *corev1.ConfigMap) error {
			_ = o.delete(cm.Name + "-s")
			return o.release(cm)
		}),
		Mended: finalized(clean),
	},
	{
		Sieve: "pravega/zookeeper-operator#312", StaleStart: true,
		Name:   "an old deletion is seen again",
		Users:  []Step{ask("a"), withdraw(), ask("a")},
		Always: []perturb.Invariant{readyHave(1)},
		Wrong:  finalized(clean),
		Mended: finalized(func(o *Operator, cm *corev1.ConfigMap) error {
			now, err := o.ConfigMaps.Get(o.ctx, cm.Name, metav1.GetOptions{})
			if err != nil || now.UID != cm.UID {
				return missing(err)
			}
			return clean(o, cm)
		}),
	},
	{
		Sieve: "instaclustr/cassandra-operator#398",
		Name:  "the time of deletion is not seen",
		Users: []Step{ask("a"), ofOther("a", `["example.com/other"]`), withdraw(), ofOther("a", "null")},
		Wrong: process(func(o *Operator, name string) error {
			cm, err := o.CachedConfigMaps.Get(name)
			switch {
			case err != nil || cm.Labels["request"] == "":
				return nil
			case cm.DeletionTimestamp != nil:
				return missing(o.delete(name + "-s"))
			}
			return exists(o.create(cm, name+"-s"))
		}),
		Mended: process(func(o *Operator, name string) error {
			cm, err := o.CachedConfigMaps.Get(name)
			switch {
			case apierrors.IsNotFound(err) && name != "kube-root-ca.crt" || err == nil && cm.DeletionTimestamp != nil:
				return missing(o.delete(name + "-s"))
			case err != nil || cm.Labels["request"] == "":
				return nil
			}
			return exists(o.create(cm, name+"-s", owned(cm)))
		}),
	},
	{
		Name:  "the finalizer comes after the work",
		Users: []Step{ask("a"), withdraw()},
		Wrong: process(func(o *Operator, name string) error {
			cached, err := o.CachedConfigMaps.Get(name)
			if err != nil || cached.Labels["request"] == "" {
				return nil
			}
			cm := cached.DeepCopy()
			has := slices.Contains(cm.Finalizers, finalizer)
			switch {
			case cm.DeletionTimestamp != nil && has:
				return clean(o, cm)
			case cm.DeletionTimestamp != nil || has:
				return nil
			}
			if err := exists(o.create(cm, name+"-s")); err != nil {
				return err
			}
			cm.Finalizers = append(cm.Finalizers, finalizer)
			return o.update(cm)
		}),
		Mended: finalized(clean),
	},
}
