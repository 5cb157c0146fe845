package kinds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kinds that can be selected by fields other than name and namespace, with the valid fields and the
// form of the error for others.
var selectable = map[schema.GroupKind]struct {
	fields []string
	other  string
}{
	{Kind: "Pod"}: {[]string{"metadata.name", "metadata.namespace", "spec.nodeName", "spec.restartPolicy", "spec.schedulerName",
		"spec.serviceAccountName", "spec.hostNetwork", "status.phase", "status.podIP", "status.podIPs", "status.nominatedNodeName"}, unsupported},
	{Kind: "Node"}:                  {[]string{"metadata.name", "spec.unschedulable"}, unsupported},
	{Kind: "ReplicationController"}: {[]string{"metadata.name", "metadata.namespace", "status.replicas"}, unsupported},
	{Kind: "Event"}: {[]string{"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
		"involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason", "reportingComponent",
		"source", "type", "metadata.namespace", "metadata.name"}, unsupported},
	{Kind: "Namespace"}: {[]string{"status.phase", "metadata.name"}, unsupported},
	{Kind: "Secret"}:    {[]string{"type", "metadata.namespace", "metadata.name"}, unsupported},
	{Kind: "Service"}:   {[]string{"metadata.namespace", "metadata.name", "spec.clusterIP", "spec.type"}, unsupported},
	{Group: "events.k8s.io", Kind: "Event"}: {[]string{"regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid",
		"regarding.apiVersion", "regarding.resourceVersion", "regarding.fieldPath", "reason", "reportingController", "type",
		"metadata.namespace", "metadata.name"}, unsupported},
	{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}: {[]string{"metadata.name", "spec.signerName"}, unsupported},
	{Group: "certificates.k8s.io", Kind: "ClusterTrustBundle"}:        {[]string{"metadata.name", "spec.signerName"}, unsupported},
	{Group: "certificates.k8s.io", Kind: "PodCertificateRequest"}: {[]string{"metadata.name", "spec.signerName", "spec.podName",
		"spec.nodeName"}, unsupported},
	{Group: "resource.k8s.io", Kind: "ResourceSlice"}: {[]string{"metadata.name", "spec.nodeName", "spec.driver", "spec.pool.name"},
		"field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: %s"},
	{Group: "batch", Kind: "Job"}: {[]string{"metadata.name", "metadata.namespace", "status.successful"}, "field label %q not supported for Job"},
}

const unsupported = "field label not supported: %s"

// eventLabels replaces the names of fields of events.k8s.io by those of the core group.
var eventLabels = strings.NewReplacer("regarding.", "involvedObject.", "reportingController", "reportingComponent")

// FieldLabel returns the stored name of a field by which objects of a kind are selected, or an error if they cannot
// be. It returns false for kinds that can only be selected by name and namespace.
func FieldLabel(gvk schema.GroupVersionKind, label string) (name string, ok bool, err error) {
	s, ok := selectable[gvk.GroupKind()]
	if !ok {
		return "", false, nil
	}
	if label == "spec.host" && gvk.Kind == "Pod" {
		label = "spec.nodeName" // its former name
	}
	if !slices.Contains(s.fields, label) {
		return "", true, fmt.Errorf(s.other, label)
	}
	if gvk.Group == "events.k8s.io" {
		label = eventLabels.Replace(label)
	}
	return label, true, nil
}

func podFields(obj runtime.Object, set fields.Set) {
	p := obj.(*corev1.Pod)
	set["spec.nodeName"] = p.Spec.NodeName
	set["spec.restartPolicy"] = string(p.Spec.RestartPolicy)
	set["spec.schedulerName"] = p.Spec.SchedulerName
	set["spec.serviceAccountName"] = p.Spec.ServiceAccountName
	set["spec.hostNetwork"] = strconv.FormatBool(p.Spec.HostNetwork)
	set["status.phase"] = string(p.Status.Phase)
	set["status.nominatedNodeName"] = p.Status.NominatedNodeName
	set["status.podIP"] = ""
	if len(p.Status.PodIPs) > 0 {
		set["status.podIP"] = p.Status.PodIPs[0].IP
	}
}

func nodeFields(obj runtime.Object, set fields.Set) {
	set["spec.unschedulable"] = strconv.FormatBool(obj.(*corev1.Node).Spec.Unschedulable)
}

func secretFields(obj runtime.Object, set fields.Set) {
	set["type"] = string(obj.(*corev1.Secret).Type)
}

func serviceFields(obj runtime.Object, set fields.Set) {
	s := obj.(*corev1.Service)
	set["spec.clusterIP"] = s.Spec.ClusterIP
	set["spec.type"] = string(s.Spec.Type)
}

func replicationControllerFields(obj runtime.Object, set fields.Set) {
	set["status.replicas"] = strconv.Itoa(int(obj.(*corev1.ReplicationController).Status.Replicas))
}

func jobFields(obj runtime.Object, set fields.Set) {
	set["status.successful"] = strconv.Itoa(int(obj.(*batchv1.Job).Status.Succeeded))
}

func signingRequestFields(obj runtime.Object, set fields.Set) {
	set["spec.signerName"] = obj.(*certificatesv1.CertificateSigningRequest).Spec.SignerName
}

func bundleFields(obj runtime.Object, set fields.Set) {
	set["spec.signerName"] = obj.(*certificatesv1.ClusterTrustBundle).Spec.SignerName
}

func podCertificateFields(obj runtime.Object, set fields.Set) {
	s := &obj.(*certificatesv1.PodCertificateRequest).Spec
	set["spec.signerName"], set["spec.podName"], set["spec.nodeName"] = s.SignerName, s.PodName, string(s.NodeName)
}

func sliceFields(obj runtime.Object, set fields.Set) {
	s := &obj.(*resourcev1.ResourceSlice).Spec
	set["spec.driver"], set["spec.pool.name"], set["spec.nodeName"] = s.Driver, s.Pool.Name, ""
	if s.NodeName != nil {
		set["spec.nodeName"] = *s.NodeName
	}
}

func eventFields(obj runtime.Object, set fields.Set) {
	e := obj.(*corev1.Event)
	r := e.InvolvedObject
	set["involvedObject.kind"] = r.Kind
	set["involvedObject.namespace"] = r.Namespace
	set["involvedObject.name"] = r.Name
	set["involvedObject.uid"] = string(r.UID)
	set["involvedObject.apiVersion"] = r.APIVersion
	set["involvedObject.resourceVersion"] = r.ResourceVersion
	set["involvedObject.fieldPath"] = r.FieldPath
	set["reason"] = e.Reason
	set["reportingComponent"] = e.ReportingController
	set["source"] = e.Source.Component
	if e.Source.Component == "" {
		set["source"] = e.ReportingController
	}
	set["type"] = e.Type
}
