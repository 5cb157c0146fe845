package print

import (
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	nodev1 "k8s.io/api/node/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"
)

func roleBindingCells(o *rbacv1.RoleBinding) []any {
	return bindingCells(o, o.RoleRef, o.Subjects)
}

func clusterRoleBindingCells(o *rbacv1.ClusterRoleBinding) []any {
	return bindingCells(o, o.RoleRef, o.Subjects)
}

func leaseCells(o *coordinationv1.Lease) []any {
	return []any{o.Name, value(o.Spec.HolderIdentity), age(o)}
}

func runtimeClassCells(o *nodev1.RuntimeClass) []any {
	return []any{o.Name, o.Handler, age(o)}
}

func priorityClassCells(o *schedulingv1.PriorityClass) []any {
	return []any{o.Name, int64(o.Value), o.GlobalDefault, age(o), string(value(o.PreemptionPolicy))}
}

func bundleCells(o *certificatesv1.ClusterTrustBundle) []any {
	return []any{o.Name, or(o.Spec.SignerName, none)}
}

func podCertificateCells(o *certificatesv1.PodCertificateRequest) []any {
	s, state := &o.Spec, "Pending"
	for _, c := range o.Status.Conditions {
		state = c.Type // there is one at most
	}
	return []any{o.Name, s.PodName, s.ServiceAccountName, string(s.NodeName), s.SignerName, state, labels.FormatLabels(s.UnverifiedUserAnnotations)}
}

func migrationCells(o *storagemigrationv1.StorageVersionMigration) []any {
	state := "Unknown"
	for _, c := range o.Status.Conditions {
		switch known := storagemigrationv1.MigrationConditionType(c.Type); known {
		case storagemigrationv1.MigrationRunning, storagemigrationv1.MigrationSucceeded, storagemigrationv1.MigrationFailed:
			if c.Status == metav1.ConditionTrue {
				state = c.Type
			}
		}
	}
	return []any{o.Name, o.Spec.Resource.String(), state}
}

func mutatingWebhooksCells(o *admissionv1.MutatingWebhookConfiguration) []any {
	return []any{o.Name, int64(len(o.Webhooks)), age(o)}
}

func validatingWebhooksCells(o *admissionv1.ValidatingWebhookConfiguration) []any {
	return []any{o.Name, int64(len(o.Webhooks)), age(o)}
}

func validatingPolicyCells(o *admissionv1.ValidatingAdmissionPolicy) []any {
	return []any{o.Name, int64(len(o.Spec.Validations)), paramKind(o.Spec.ParamKind), age(o)}
}

func mutatingPolicyCells(o *admissionv1.MutatingAdmissionPolicy) []any {
	return []any{o.Name, int64(len(o.Spec.Mutations)), paramKind(o.Spec.ParamKind), age(o)}
}

func validatingPolicyBindingCells(o *admissionv1.ValidatingAdmissionPolicyBinding) []any {
	return []any{o.Name, o.Spec.PolicyName, paramRef(o.Spec.ParamRef), age(o)}
}

func mutatingPolicyBindingCells(o *admissionv1.MutatingAdmissionPolicyBinding) []any {
	return []any{o.Name, o.Spec.PolicyName, paramRef(o.Spec.ParamRef), age(o)}
}

func storageClassCells(o *storagev1.StorageClass) []any {
	policy, mode := "Delete", storagev1.VolumeBindingImmediate
	if o.ReclaimPolicy != nil {
		policy = string(*o.ReclaimPolicy)
	}
	if o.VolumeBindingMode != nil {
		mode = *o.VolumeBindingMode
	}
	return []any{o.Name, o.Provisioner, policy, string(mode), value(o.AllowVolumeExpansion), age(o)}
}

func storageNodeCells(o *storagev1.CSINode) []any {
	return []any{o.Name, int64(len(o.Spec.Drivers)), age(o)}
}

func attachmentCells(o *storagev1.VolumeAttachment) []any {
	return []any{o.Name, o.Spec.Attacher, value(o.Spec.Source.PersistentVolumeName), o.Spec.NodeName, o.Status.Attached, age(o)}
}

func attributesClassCells(o *storagev1.VolumeAttributesClass) []any {
	return []any{o.Name, o.DriverName, age(o)}
}

func bindingCells(m metav1.Object, role rbacv1.RoleRef, subjects []rbacv1.Subject) []any {
	var users, groups, accounts []string
	for _, s := range subjects {
		switch s.Kind {
		case rbacv1.UserKind:
			users = append(users, s.Name)
		case rbacv1.GroupKind:
			groups = append(groups, s.Name)
		case rbacv1.ServiceAccountKind:
			accounts = append(accounts, s.Namespace+"/"+s.Name)
		}
	}
	return []any{m.GetName(), role.Kind + "/" + role.Name, age(m),
		strings.Join(users, ", "), strings.Join(groups, ", "), strings.Join(accounts, ", ")}
}

func requestCells(o *certificatesv1.CertificateSigningRequest) []any {
	has := map[certificatesv1.RequestConditionType]bool{}
	for _, c := range o.Status.Conditions {
		has[c.Type] = true
	}
	status := "Pending"
	switch {
	case has[certificatesv1.CertificateDenied]:
		status = "Denied"
	case has[certificatesv1.CertificateApproved]:
		status = "Approved"
	}
	if has[certificatesv1.CertificateFailed] {
		status += ",Failed"
	}
	if len(o.Status.Certificate) > 0 {
		status += ",Issued"
	}
	wanted := none
	if s := o.Spec.ExpirationSeconds; s != nil {
		wanted = duration.HumanDuration(time.Duration(*s) * time.Second)
	}
	return []any{o.Name, age(o), or(o.Spec.SignerName, none), o.Spec.Username, wanted, status}
}

func paramKind(k *admissionv1.ParamKind) string {
	if k == nil {
		return unset
	}
	return k.APIVersion + "/" + k.Kind
}

func paramRef(r *admissionv1.ParamRef) string {
	switch {
	case r == nil:
		return unset
	case r.Name != "":
		return or(r.Namespace, "*") + "/" + r.Name
	case r.Selector != nil:
		return r.Selector.String()
	}
	return unset
}

func driverCells(o *storagev1.CSIDriver) []any {
	attach := o.Spec.AttachRequired == nil || *o.Spec.AttachRequired
	audiences := unset
	if o.Spec.TokenRequests != nil {
		var list []string
		for _, r := range o.Spec.TokenRequests {
			list = append(list, r.Audience)
		}
		audiences = strings.Join(list, ",")
	}
	var modes []string
	for _, m := range o.Spec.VolumeLifecycleModes {
		modes = append(modes, string(m))
	}
	return []any{o.Name, attach, value(o.Spec.PodInfoOnMount), value(o.Spec.StorageCapacity), audiences,
		value(o.Spec.RequiresRepublish), or(strings.Join(modes, ","), none), age(o)}
}

func flowSchemaCells(o *flowcontrolv1.FlowSchema) []any {
	method, missing := none, "?"
	if m := o.Spec.DistinguisherMethod; m != nil {
		method = string(m.Type)
	}
	for _, c := range o.Status.Conditions {
		if c.Type == flowcontrolv1.FlowSchemaConditionDangling {
			missing = string(c.Status)
		}
	}
	return []any{o.Name, o.Spec.PriorityLevelConfiguration.Name, int64(o.Spec.MatchingPrecedence), method, age(o), missing}
}

func priorityLevelCells(o *flowcontrolv1.PriorityLevelConfiguration) []any {
	var shares, queues, hand, length any = none, none, none, none
	if l := o.Spec.Limited; l != nil {
		shares = int64(value(l.NominalConcurrencyShares))
		if q := l.LimitResponse.Queuing; q != nil {
			queues, hand, length = int64(q.Queues), int64(q.HandSize), int64(q.QueueLengthLimit)
		}
	}
	return []any{o.Name, string(o.Spec.Type), shares, queues, hand, length, age(o)}
}
