package defaults

import corev1 "k8s.io/api/core/v1"

func defaultPersistentVolume(v *corev1.PersistentVolumeSource) {
	if v.HostPath != nil {
		fillPointer(&v.HostPath.Type, corev1.HostPathUnset)
	}
	if v.ISCSI != nil {
		fill(&v.ISCSI.ISCSIInterface, "default")
	}
	if v.RBD != nil {
		defaultRBD(&v.RBD.RBDPool, &v.RBD.RadosUser, &v.RBD.Keyring)
	}
	if v.ScaleIO != nil {
		defaultScaleIO(&v.ScaleIO.StorageMode, &v.ScaleIO.FSType)
	}
	if v.AzureDisk != nil {
		defaultAzureDisk(v.AzureDisk)
	}
}

func defaultRBD(pool, user, keyring *string) {
	fill(pool, "rbd")
	fill(user, "admin")
	fill(keyring, "/etc/ceph/keyring")
}

func defaultScaleIO(mode, fsType *string) {
	fill(mode, "ThinProvisioned")
	fill(fsType, "xfs")
}

func defaultAzureDisk(d *corev1.AzureDiskVolumeSource) {
	fillPointer(&d.CachingMode, corev1.AzureDataDiskCachingReadWrite)
	fillPointer(&d.FSType, "ext4")
	fillPointer(&d.ReadOnly, false)
	fillPointer(&d.Kind, corev1.AzureSharedBlobDisk)
}
