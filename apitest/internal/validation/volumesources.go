package validation

import (
	"maps"
	"net"
	"path"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// sourceChecks check the sources of the volumes of pods, and of persistent volumes.
var sourceChecks = map[string]check{
	"gce-disk": of(func(v *corev1.VolumeSource, at *field.Path) field.ErrorList { return gceDisk(v.GCEPersistentDisk, at) }),
	"persistent-gce-disk": of(func(v *corev1.PersistentVolumeSource, at *field.Path) field.ErrorList {
		return gceDisk(v.GCEPersistentDisk, at)
	}),
	"host-path":        of(hostPath),
	"partition":        of(partition),
	"fibre":            of(fibre),
	"iscsi":            of(iscsi),
	"iscsi-name":       of(iscsiVolume),
	"iscsi-persistent": of(persistentISCSI),
	"quobyte":          of(quobyte),
	"flocker":          of(flocker),
	"flex-options":     of(flexOptions),
	"azure-disk":       of(azureDisk),
	"reclaimed-root": of(func(s *corev1.PersistentVolumeSpec, at *field.Path) field.ErrorList {
		if s.HostPath == nil || path.Clean(s.HostPath.Path) != "/" || s.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimRecycle {
			return nil
		}
		return field.ErrorList{field.Forbidden(at.Child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'")}
	}),
	"named-secret": of(func(s *corev1.LocalObjectReference, at *field.Path) field.ErrorList {
		return required(s.Name == "", at.Child("name"))
	}),
	"secret-of-namespace": of(func(s *corev1.SecretReference, at *field.Path) field.ErrorList {
		return append(required(s.Name == "", at.Child("name")), required(s.Namespace == "", at.Child("namespace"))...)
	}),
	"object-of-namespace": of(func(o *corev1.ObjectReference, at *field.Path) field.ErrorList {
		return append(required(o.Name == "", at.Child("name")), required(o.Namespace == "", at.Child("namespace"))...)
	}),
	"node-secret": of(func(v *corev1.CSIVolumeSource, at *field.Path) field.ErrorList {
		switch s := v.NodePublishSecretRef; {
		case s == nil:
			return nil
		case s.Name == "":
			return required(true, at.Child("nodePublishSecretRef", "name"))
		default: // the real server has this path
			return invalid(at.Child("name"), s.Name, utilvalidation.IsDNS1123Subdomain(s.Name))
		}
	}),
	"set-namespace": of(func(name *string, at *field.Path) field.ErrorList { return required(*name == "", at) }),
	"gluster-namespace": of(func(name *string, at *field.Path) field.ErrorList {
		if *name == "" {
			return field.ErrorList{field.Invalid(at, *name, "if the endpointnamespace is set, it must be a valid namespace name")}
		}
		return invalid(at, *name, utilvalidation.IsDNS1123Label(*name))
	}),
}

func required(missing bool, at *field.Path) field.ErrorList {
	if missing {
		return field.ErrorList{field.Required(at, "")}
	}
	return nil
}

// hostPath checks a path that is set.
func hostPath(v *corev1.HostPathVolumeSource, at *field.Path) field.ErrorList {
	errs := invalid(at.Child("path"), v.Path, noBacksteps(v.Path))
	if v.Path != "" && v.Type != nil && !slices.Contains(hostPathTypes, *v.Type) {
		errs = append(errs, field.NotSupported(at.Child("type"), *v.Type, hostPathTypes))
	}
	return errs
}

var hostPathTypes = []corev1.HostPathType{
	corev1.HostPathUnset, corev1.HostPathBlockDev, corev1.HostPathCharDev, corev1.HostPathDirectory, corev1.HostPathDirectoryOrCreate,
	corev1.HostPathFile, corev1.HostPathFileOrCreate, corev1.HostPathSocket,
}

// gceDisk checks a disk; the errors have another name of the field, as in the real server.
func gceDisk(disk *corev1.GCEPersistentDiskVolumeSource, at *field.Path) field.ErrorList {
	if disk == nil {
		return nil
	}
	at = at.Child("persistentDisk")
	return append(required(disk.PDName == "", at.Child("pdName")), partition(&disk.Partition, at.Child("partition"))...)
}

// partition checks the number of a partition; 0 is the whole disk.
func partition(number *int32, at *field.Path) field.ErrorList {
	if *number < 0 || *number > 255 {
		return field.ErrorList{field.Invalid(at, *number, utilvalidation.InclusiveRangeError(1, 255))}
	}
	return nil
}

// unitNumber checks the number of a logical unit, which may not be set.
func unitNumber(number *int32, at *field.Path) field.ErrorList {
	if number != nil && (*number < 0 || *number > 255) {
		return field.ErrorList{field.Invalid(at, *number, utilvalidation.InclusiveRangeError(0, 255))}
	}
	return nil
}

func fibre(v *corev1.FCVolumeSource, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(v.TargetWWNs) == 0 && len(v.WWIDs) == 0 {
		errs = append(errs, field.Required(at.Child("targetWWNs"), "must specify either targetWWNs or wwids, but not both"))
	}
	if len(v.TargetWWNs) == 0 {
		return errs
	}
	if len(v.WWIDs) > 0 {
		errs = append(errs, field.Invalid(at.Child("targetWWNs"), v.TargetWWNs, "targetWWNs and wwids can not be specified simultaneously"))
	}
	if v.Lun == nil {
		errs = append(errs, field.Required(at.Child("lun"), "lun is required if targetWWNs is specified"))
	}
	return append(errs, unitNumber(v.Lun, at.Child("lun"))...)
}

const wrongFormat = "must be valid format"

// iscsiFormats are the names of iSCSI nodes, by their beginnings (RFC 3720, section 3.2.6.3, and RFC 3980).
var iscsiFormats = map[string]*regexp.Regexp{
	"iqn": regexp.MustCompile(`iqn\.\d{4}-\d{2}\.[-.[:alnum:]]+:[^,;*&$|\s]+$`),
	"eui": regexp.MustCompile(`^eui.[[:alnum:]]{16}$`),
	"naa": regexp.MustCompile(`^naa.[[:alnum:]]{32}$`),
}

// iscsiName checks the name of an iSCSI node. unknown is the error of a name that begins otherwise.
func iscsiName(name, unknown string, at *field.Path) field.ErrorList {
	format, ok := iscsiFormats[name[:min(3, len(name))]]
	switch {
	case !ok:
		return field.ErrorList{field.Invalid(at, name, unknown)}
	case !format.MatchString(name):
		return field.ErrorList{field.Invalid(at, name, wrongFormat)}
	}
	return nil
}

// longPortal is the error of a name, or of a portal, that are too long together.
const longPortal = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified."

func iscsi(v *corev1.ISCSIVolumeSource, at *field.Path) field.ErrorList {
	errs := required(v.TargetPortal == "", at.Child("targetPortal"))
	return append(errs, iscsiTarget{
		iqn: v.IQN, lun: v.Lun, initiator: v.InitiatorName,
		noSecret: v.SecretRef == nil && (v.DiscoveryCHAPAuth || v.SessionCHAPAuth),
	}.check(wrongFormat+" starting with iqn, eui, or naa", at)...)
}

func iscsiVolume(v *corev1.Volume, at *field.Path) field.ErrorList {
	if i := v.ISCSI; i != nil && i.InitiatorName != nil && len(v.Name+":"+i.TargetPortal) > 64 {
		return field.ErrorList{field.Invalid(at.Child("name"), v.Name, longPortal)}
	}
	return nil
}

func persistentISCSI(volume *corev1.PersistentVolume, _ *field.Path) field.ErrorList {
	v, at := volume.Spec.ISCSI, field.NewPath("spec", "iscsi")
	if v == nil {
		return nil
	}
	errs := required(v.TargetPortal == "", at.Child("targetPortal"))
	if v.InitiatorName != nil && len(volume.Name+":"+v.TargetPortal) > 64 {
		errs = append(errs, field.Invalid(at.Child("targetportal"), v.TargetPortal, longPortal))
	}
	return append(errs, iscsiTarget{
		iqn: v.IQN, lun: v.Lun, initiator: v.InitiatorName,
		noSecret:      v.SecretRef == nil && (v.DiscoveryCHAPAuth || v.SessionCHAPAuth),
		unnamedSecret: v.SecretRef != nil && v.SecretRef.Name == "",
	}.check(wrongFormat, at)...)
}

// iscsiTarget is what the two kinds of iSCSI volumes have in common.
type iscsiTarget struct {
	iqn                     string
	lun                     int32
	initiator               *string
	noSecret, unnamedSecret bool
}

func (t iscsiTarget) check(unknown string, at *field.Path) field.ErrorList {
	errs := required(t.iqn == "", at.Child("iqn"))
	if t.iqn != "" {
		errs = iscsiName(t.iqn, unknown, at.Child("iqn"))
	}
	errs = append(errs, unitNumber(&t.lun, at.Child("lun"))...)
	errs = append(errs, required(t.noSecret, at.Child("secretRef"))...)
	errs = append(errs, required(t.unnamedSecret, at.Child("secretRef", "name"))...)
	if t.initiator != nil {
		errs = append(errs, iscsiName(*t.initiator, unknown, at.Child("initiatorname"))...)
	}
	return errs
}

func quobyte(v *corev1.QuobyteVolumeSource, at *field.Path) field.ErrorList {
	const pairs = "must be a host:port pair or multiple pairs separated by commas"
	var errs field.ErrorList
	switch {
	case v.Registry == "":
		errs = append(errs, field.Required(at.Child("registry"), pairs))
	case len(v.Tenant) > 64:
		errs = append(errs, field.Required(at.Child("tenant"), "must be a UUID and may not exceed a length of 64 characters"))
	default:
		for pair := range strings.SplitSeq(v.Registry, ",") {
			if _, _, err := net.SplitHostPort(pair); err != nil {
				errs = append(errs, field.Invalid(at.Child("registry"), v.Registry, pairs))
			}
		}
	}
	return append(errs, required(v.Volume == "", at.Child("volume"))...)
}

func flocker(v *corev1.FlockerVolumeSource, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch {
	case v.DatasetName == "" && v.DatasetUUID == "":
		errs = append(errs, field.Required(at, "one of datasetName and datasetUUID is required"))
	case v.DatasetName != "" && v.DatasetUUID != "":
		errs = append(errs, field.Invalid(at, "resource", "datasetName and datasetUUID can not be specified simultaneously"))
	}
	if strings.Contains(v.DatasetName, "/") {
		errs = append(errs, field.Invalid(at.Child("datasetName"), v.DatasetName, "must not contain '/'"))
	}
	return errs
}

func flexOptions(options *map[string]string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(*options)) {
		domain, _, _ := strings.Cut(name, "/")
		domain = "." + strings.ToLower(domain)
		if strings.HasSuffix(domain, ".kubernetes.io") || strings.HasSuffix(domain, ".k8s.io") {
			errs = append(errs, field.Invalid(at.Key(name), name, "kubernetes.io and k8s.io namespaces are reserved"))
		}
	}
	return errs
}

func azureDisk(v *corev1.AzureDiskVolumeSource, at *field.Path) field.ErrorList {
	const (
		managed = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
		blob    = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"
	)
	errs := append(required(v.DiskName == "", at.Child("diskName")), required(v.DataDiskURI == "", at.Child("diskURI"))...)
	modes := []corev1.AzureDataDiskCachingMode{corev1.AzureDataDiskCachingNone, corev1.AzureDataDiskCachingReadOnly, corev1.AzureDataDiskCachingReadWrite}
	if m := v.CachingMode; m != nil && !slices.Contains(modes, *m) {
		errs = append(errs, field.NotSupported(at.Child("cachingMode"), *m, modes))
	}
	if v.Kind == nil {
		return errs
	}
	kinds := []corev1.AzureDataDiskKind{corev1.AzureDedicatedBlobDisk, corev1.AzureManagedDisk, corev1.AzureSharedBlobDisk}
	if !slices.Contains(kinds, *v.Kind) {
		errs = append(errs, field.NotSupported(at.Child("kind"), *v.Kind, kinds))
	}
	switch {
	case *v.Kind == corev1.AzureManagedDisk && !strings.HasPrefix(v.DataDiskURI, "/subscriptions/"):
		errs = append(errs, field.NotSupported(at.Child("diskURI"), v.DataDiskURI, []string{managed}))
	case *v.Kind != corev1.AzureManagedDisk && !strings.HasPrefix(v.DataDiskURI, "https://"):
		errs = append(errs, field.NotSupported(at.Child("diskURI"), v.DataDiskURI, []string{blob}))
	}
	return errs
}
