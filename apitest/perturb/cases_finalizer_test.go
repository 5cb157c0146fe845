package perturb_test

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
func finalized(cleanup func(o *operator, cm *corev1.ConfigMap) error) start {
	return process(func(o *operator, name string) error {
		cached, err := o.requests.Get(name)
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
		now, err := o.kube.CoreV1().ConfigMaps("default").Get(o.ctx, name, metav1.GetOptions{})
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
func (o *operator) release(cm *corev1.ConfigMap) error {
	cm.Finalizers = slices.DeleteFunc(cm.Finalizers, func(f string) bool { return f == finalizer })
	return missing(o.update(cm))
}

// fill sets the content of a secret.
func fill(name string) step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		_, err := kube.CoreV1().Secrets("default").Patch(ctx, name, "application/merge-patch+json", []byte(`{"data":{"content":"eA=="}}`), metav1.PatchOptions{})
		return err
	}
}

// ofOther adds or removes a finalizer of somebody else.
func ofOther(name string, set string) step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		_, err := kube.CoreV1().ConfigMaps("default").Patch(ctx, name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":`+set+`}}`), metav1.PatchOptions{})
		return err
	}
}

// clean is the correct cleanup.
func clean(o *operator, cm *corev1.ConfigMap) error {
	if err := missing(o.delete(cm.Name + "-s")); err != nil {
		return err
	}
	return o.release(cm)
}

// finalizerBugs show in deletions.
var finalizerBugs = []bug{
	{
		name:  "what is missing cannot be deleted",
		users: []step{ask("a"), withdraw()},
		wrong: finalized(func(o *operator, cm *corev1.ConfigMap) error {
			if err := o.delete(cm.Name + "-s"); err != nil {
				return err
			}
			return o.release(cm)
		}),
		mended: finalized(clean),
	},
	{
		name:  "finalizer removed first",
		users: []step{ask("a"), withdraw()},
		wrong: finalized(func(o *operator, cm *corev1.ConfigMap) error {
			if err := o.release(cm); err != nil {
				return err
			}
			return missing(o.delete(cm.Name + "-s"))
		}),
		mended: finalized(clean),
	},
	{
		name:  "an error of the cleanup is ignored",
		users: []step{ask("a"), withdraw()},
		wrong: finalized(func(o *operator, cm *corev1.ConfigMap) error {
			_ = o.delete(cm.Name + "-s")
			return o.release(cm)
		}),
		mended: finalized(clean),
	},
	{ // Operators of Cassandra and ZooKeeper deleted volumes of a new cluster because they saw the end of the old one.
		name:   "an old deletion is seen again",
		users:  []step{ask("a"), withdraw(), ask("a")},
		always: []perturb.Invariant{readyHave(1)},
		wrong:  finalized(clean),
		mended: finalized(func(o *operator, cm *corev1.ConfigMap) error {
			now, err := o.kube.CoreV1().ConfigMaps("default").Get(o.ctx, cm.Name, metav1.GetOptions{})
			if err != nil || now.UID != cm.UID {
				return missing(err)
			}
			return clean(o, cm)
		}),
	},
	{ // A Cassandra operator cleaned up only if it saw the time of deletion.
		name:  "the time of deletion is not seen",
		users: []step{ask("a"), ofOther("a", `["example.com/other"]`), withdraw(), ofOther("a", "null")},
		wrong: process(func(o *operator, name string) error {
			cm, err := o.requests.Get(name)
			switch {
			case err != nil || cm.Labels["request"] == "":
				return nil
			case cm.DeletionTimestamp != nil:
				return missing(o.delete(name + "-s"))
			}
			return exists(o.create(cm, name+"-s"))
		}),
		mended: process(func(o *operator, name string) error {
			cm, err := o.requests.Get(name)
			switch {
			case apierrors.IsNotFound(err) && name != "kube-root-ca.crt" || err == nil && cm.DeletionTimestamp != nil:
				return missing(o.delete(name + "-s"))
			case err != nil || cm.Labels["request"] == "":
				return nil
			}
			return exists(o.create(cm, name+"-s", owned(cm)))
		}),
	},
}
