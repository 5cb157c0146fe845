package plugins

import (
	"context"
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
)

const (
	claimFinalizer  = "kubernetes.io/pvc-protection"
	volumeFinalizer = "kubernetes.io/pv-protection"
	notReady        = "node.kubernetes.io/not-ready"
	unreachable     = "node.kubernetes.io/unreachable"
)

// objectDefaults sets the fields of objects that several plugins set.
type objectDefaults struct {
	reader   stores.Reader
	disabled Disabled
}

// Handles implements admission.Interface.
func (d *objectDefaults) Handles(op admission.Operation) bool {
	return op == admission.Create || op == admission.Update
}

// Admit implements admission.MutationInterface.
func (d *objectDefaults) Admit(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if a.GetSubresource() != "" {
		return nil
	}
	if o, ok := a.GetObject().(*corev1.Pod); ok {
		if d.disabled.Enabled(defaultToleration) {
			tolerate(o, notReady)
			tolerate(o, unreachable)
		}
		if !d.disabled.Enabled(podPriority) {
			return nil
		}
		if was, ok := a.GetOldObject().(*corev1.Pod); ok && a.GetOperation() == admission.Update {
			keepPriority(o, was)
			return nil
		}
		return d.prioritize(ctx, a, o)
	}
	if a.GetOperation() != admission.Create {
		return nil
	}
	switch o := a.GetObject().(type) {
	case *corev1.PersistentVolumeClaim:
		if d.disabled.Enabled(storageInUse) {
			addOnce(&o.Finalizers, claimFinalizer)
		}
	case *corev1.PersistentVolume:
		if d.disabled.Enabled(storageInUse) {
			addOnce(&o.Finalizers, volumeFinalizer)
		}
	case *certificatesv1.CertificateSigningRequest:
		signFor(o, a.GetUserInfo())
	case *corev1.Node:
		taint := corev1.Taint{Key: notReady, Effect: corev1.TaintEffectNoSchedule}
		if d.disabled.Enabled(taintNodes) && !slices.ContainsFunc(o.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) }) {
			o.Spec.Taints = append(o.Spec.Taints, taint)
		}
	}
	return nil
}

func addOnce(list *[]string, name string) {
	if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// tolerate lets a pod stay on an unhealthy node for five minutes, unless its user sets a
// toleration.
func tolerate(p *corev1.Pod, key string) {
	for _, t := range p.Spec.Tolerations {
		if (t.Key == key || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "") {
			return
		}
	}
	p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{
		Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(300)),
	})
}

// The priority classes that every cluster has.
var systemPriorities = map[string]int32{
	"system-cluster-critical": 2_000_000_000,
	"system-node-critical":    2_000_001_000,
}

// keepPriority preserves a pod's priority in updates by clients that do not know it.
func keepPriority(p, was *corev1.Pod) {
	if p.Spec.Priority == nil {
		p.Spec.Priority = was.Spec.Priority
	}
	if p.Spec.PreemptionPolicy == nil {
		p.Spec.PreemptionPolicy = was.Spec.PreemptionPolicy
	}
}

// prioritize sets a pod's priority to its class's.
func (d *objectDefaults) prioritize(ctx context.Context, a admission.Attributes, p *corev1.Pod) error {
	name := p.Spec.PriorityClassName
	class := &schedulingv1.PriorityClass{Value: systemPriorities[name]}
	if name != "" && class.Value == 0 {
		found, err := d.priorityClass(ctx, name)
		if apierrors.IsNotFound(err) {
			return admission.NewForbidden(a, fmt.Errorf("no PriorityClass with name %v was found", name))
		}
		if err != nil {
			return err
		}
		class = found
	}
	if given := p.Spec.Priority; given != nil && *given != class.Value {
		return admission.NewForbidden(a, fmt.Errorf("the integer value of priority (%d) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name", *given, class.Value))
	}
	p.Spec.Priority = &class.Value
	if class.PreemptionPolicy == nil {
		class.PreemptionPolicy = new(corev1.PreemptLowerPriority)
	}
	if given := p.Spec.PreemptionPolicy; given != nil && *given != *class.PreemptionPolicy {
		return admission.NewForbidden(a, fmt.Errorf("the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name", *given, *class.PreemptionPolicy))
	}
	p.Spec.PreemptionPolicy = class.PreemptionPolicy
	return nil
}

func (d *objectDefaults) priorityClass(ctx context.Context, name string) (*schedulingv1.PriorityClass, error) {
	gvr := schedulingv1.SchemeGroupVersion.WithResource("priorityclasses")
	obj, err := d.reader.Get(ctx, gvr, "", name)
	if err != nil {
		return nil, err
	}
	class, ok := obj.(*schedulingv1.PriorityClass)
	if !ok {
		return nil, apierrors.NewNotFound(gvr.GroupResource(), name)
	}
	return class, nil
}

// signFor records the user that requests a certificate.
func signFor(r *certificatesv1.CertificateSigningRequest, u user.Info) {
	r.Spec.Username, r.Spec.UID, r.Spec.Groups, r.Spec.Extra = "", "", nil, nil
	if u == nil {
		return
	}
	r.Spec.Username, r.Spec.UID, r.Spec.Groups = u.GetName(), u.GetUID(), u.GetGroups()
	for key, values := range u.GetExtra() {
		if r.Spec.Extra == nil {
			r.Spec.Extra = map[string]certificatesv1.ExtraValue{}
		}
		r.Spec.Extra[key] = values
	}
}
