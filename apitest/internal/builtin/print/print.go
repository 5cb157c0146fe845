// Package print converts objects of Kubernetes' own kinds to the tables that kubectl prints.
//
// The columns of a kind are recorded from the real server (package facts); this package has a function for its cells,
// which returns as many as there are columns. Ages and durations are those at the time of the call. Objects are not
// modified.
package print

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Convertor returns the convertor of objects of a resource that have the type of example. If this package does not
// know the resource or the type, it prints the name and the time of creation.
func Convertor(gvr schema.GroupVersionResource, example runtime.Object) rest.TableConvertor {
	cells := cellsOf[gvr.GroupResource()]
	columns := facts.Columns(gvr.Group, gvr.Version, gvr.Resource)
	if cells == nil || columns == nil || cells(example) == nil {
		return rest.NewDefaultTableConvertor(gvr.GroupResource())
	}
	return &convertor{columns, cells}
}

// convertor converts objects of one kind.
type convertor struct {
	columns []metav1.TableColumnDefinition
	cells   func(runtime.Object) []any
}

// ConvertToTable implements rest.TableConvertor.
func (c *convertor) ConvertToTable(_ context.Context, obj, options runtime.Object) (*metav1.Table, error) {
	table := &metav1.Table{Rows: []metav1.TableRow{}}
	if o, ok := options.(*metav1.TableOptions); !ok || !o.NoHeaders {
		table.ColumnDefinitions = c.columns
	}
	marked := ""
	if classes, ok := obj.(*storagev1.StorageClassList); ok {
		marked = value(kinds.DefaultStorageClass(classes.Items))
	}
	add := func(obj runtime.Object) error {
		cells := c.cells(obj)
		if marked != "" && cells[0] == marked {
			cells[0] = marked + isDefault
		}
		table.Rows = append(table.Rows, metav1.TableRow{Cells: cells, Object: runtime.RawExtension{Object: obj}})
		return nil
	}
	if list, err := meta.ListAccessor(obj); err == nil && meta.IsListType(obj) {
		table.ResourceVersion, table.Continue = list.GetResourceVersion(), list.GetContinue()
		table.RemainingItemCount = list.GetRemainingItemCount()
		return table, meta.EachListItem(obj, add)
	}
	if m, err := meta.CommonAccessor(obj); err == nil {
		table.ResourceVersion = m.GetResourceVersion()
	}
	return table, add(obj)
}

// cellsOf contains the functions that return the cells of an object, by its resource.
var cellsOf = map[schema.GroupResource]func(runtime.Object) []any{
	{Resource: "configmaps"}:                                                               of(configMapCells),
	{Resource: "secrets"}:                                                                  of(secretCells),
	{Resource: "serviceaccounts"}:                                                          of(serviceAccountCells),
	{Resource: "namespaces"}:                                                               of(namespaceCells),
	{Resource: "nodes"}:                                                                    of(nodeCells),
	{Resource: "persistentvolumes"}:                                                        of(volumeCells),
	{Resource: "persistentvolumeclaims"}:                                                   of(claimCells),
	{Resource: "resourcequotas"}:                                                           of(quotaCells),
	{Resource: "events"}:                                                                   of(eventCells),
	{Resource: "services"}:                                                                 of(serviceCells),
	{Resource: "endpoints"}:                                                                of(endpointsCells),
	{Group: "discovery.k8s.io", Resource: "endpointslices"}:                                of(sliceCells),
	{Group: "networking.k8s.io", Resource: "ingresses"}:                                    of(ingressCells),
	{Group: "networking.k8s.io", Resource: "ingressclasses"}:                               of(ingressClassCells),
	{Group: "networking.k8s.io", Resource: "networkpolicies"}:                              of(networkPolicyCells),
	{Group: "networking.k8s.io", Resource: "servicecidrs"}:                                 of(serviceCIDRCells),
	{Group: "networking.k8s.io", Resource: "ipaddresses"}:                                  of(ipAddressCells),
	{Resource: "pods"}:                                                                     of(podCells),
	{Group: "apps", Resource: "deployments"}:                                               of(deploymentCells),
	{Group: "apps", Resource: "replicasets"}:                                               of(replicaSetCells),
	{Resource: "replicationcontrollers"}:                                                   of(replicationControllerCells),
	{Group: "apps", Resource: "statefulsets"}:                                              of(statefulSetCells),
	{Group: "apps", Resource: "daemonsets"}:                                                of(daemonSetCells),
	{Group: "apps", Resource: "controllerrevisions"}:                                       of(controllerRevisionCells),
	{Resource: "podtemplates"}:                                                             of(podTemplateCells),
	{Group: "batch", Resource: "jobs"}:                                                     of(jobCells),
	{Group: "batch", Resource: "cronjobs"}:                                                 of(cronJobCells),
	{Group: "policy", Resource: "poddisruptionbudgets"}:                                    of(disruptionBudgetCells),
	{Group: "autoscaling", Resource: "horizontalpodautoscalers"}:                           autoscalerCells,
	{Group: "rbac.authorization.k8s.io", Resource: "rolebindings"}:                         of(roleBindingCells),
	{Group: "rbac.authorization.k8s.io", Resource: "clusterrolebindings"}:                  of(clusterRoleBindingCells),
	{Group: "coordination.k8s.io", Resource: "leases"}:                                     of(leaseCells),
	{Group: "node.k8s.io", Resource: "runtimeclasses"}:                                     of(runtimeClassCells),
	{Group: "scheduling.k8s.io", Resource: "priorityclasses"}:                              of(priorityClassCells),
	{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}:                 of(requestCells),
	{Group: "certificates.k8s.io", Resource: "clustertrustbundles"}:                        of(bundleCells),
	{Group: "certificates.k8s.io", Resource: "podcertificaterequests"}:                     of(podCertificateCells),
	{Group: "storagemigration.k8s.io", Resource: "storageversionmigrations"}:               of(migrationCells),
	{Group: "resource.k8s.io", Resource: "devicetaintrules"}:                               of(taintRuleCells),
	{Group: "admissionregistration.k8s.io", Resource: "mutatingwebhookconfigurations"}:     of(mutatingWebhooksCells),
	{Group: "admissionregistration.k8s.io", Resource: "validatingwebhookconfigurations"}:   of(validatingWebhooksCells),
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies"}:       of(validatingPolicyCells),
	{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicies"}:         of(mutatingPolicyCells),
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicybindings"}: of(validatingPolicyBindingCells),
	{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicybindings"}:   of(mutatingPolicyBindingCells),
	{Group: "storage.k8s.io", Resource: "storageclasses"}:                                  of(storageClassCells),
	{Group: "storage.k8s.io", Resource: "csidrivers"}:                                      of(driverCells),
	{Group: "storage.k8s.io", Resource: "csinodes"}:                                        of(storageNodeCells),
	{Group: "storage.k8s.io", Resource: "volumeattachments"}:                               of(attachmentCells),
	{Group: "storage.k8s.io", Resource: "volumeattributesclasses"}:                         of(attributesClassCells),
	{Group: "resource.k8s.io", Resource: "resourceclaims"}:                                 of(resourceClaimCells),
	{Group: "resource.k8s.io", Resource: "resourceclaimtemplates"}:                         of(claimTemplateCells),
	{Group: "resource.k8s.io", Resource: "deviceclasses"}:                                  of(deviceClassCells),
	{Group: "resource.k8s.io", Resource: "resourceslices"}:                                 of(resourceSliceCells),
	{Group: "flowcontrol.apiserver.k8s.io", Resource: "flowschemas"}:                       of(flowSchemaCells),
	{Group: "flowcontrol.apiserver.k8s.io", Resource: "prioritylevelconfigurations"}:       of(priorityLevelCells),
}

// of adapts a function for one type. The result returns nil for other types.
func of[T runtime.Object](cells func(T) []any) func(runtime.Object) []any {
	return func(obj runtime.Object) []any {
		if o, ok := obj.(T); ok {
			return cells(o)
		}
		return nil
	}
}

const (
	none    = "<none>"
	unset   = "<unset>"
	unknown = "<unknown>"

	isDefault = " (default)" // after the name of a class
)

// age returns the time since an object was created.
func age(m metav1.Object) string { return since(m.GetCreationTimestamp().Time) }

func since(t time.Time) string {
	if t.IsZero() {
		return unknown
	}
	return duration.HumanDuration(time.Since(t))
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// some joins at most limit elements, and counts the rest.
func some(list []string, limit int) string {
	if len(list) == 0 {
		return none
	}
	if len(list) <= limit {
		return strings.Join(list, ",")
	}
	return fmt.Sprintf("%s + %d more...", strings.Join(list[:limit], ","), len(list)-limit)
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// text returns a value, or "<unset>".
func text[T any](p *T) string {
	if p == nil {
		return unset
	}
	return fmt.Sprint(*p)
}
