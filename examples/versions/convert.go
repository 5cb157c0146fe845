package main

import (
	"time"

	backupv1 "github.com/listwatch/listwatch/examples/versions/apis/backup/v1"
	backupv1beta1 "github.com/listwatch/listwatch/examples/versions/apis/backup/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// keepAnnotation has the exact duration of an object in v1beta1, which counts days. Without it, an object that a client of v1beta1
// reads and writes would lose the hours.
const keepAnnotation = "backup.example.com/keep"

const day = 24 * time.Hour

// toV1beta1 returns an object in v1beta1. It does not modify in.
func toV1beta1(in *backupv1.Backup) *backupv1beta1.Backup {
	out := &backupv1beta1.Backup{ObjectMeta: *in.ObjectMeta.DeepCopy()}
	out.SetGroupVersionKind(backupv1beta1.SchemeGroupVersion.WithKind("Backup"))
	out.Spec = backupv1beta1.BackupSpec{Database: in.Spec.Database, KeepDays: int32(in.Spec.Keep.Duration / day)}
	if in.Spec.Keep.Duration%day != 0 {
		metav1.SetMetaDataAnnotation(&out.ObjectMeta, keepAnnotation, in.Spec.Keep.Duration.String())
	}
	return out
}

// toV1 returns an object in v1. It does not modify in.
func toV1(in *backupv1beta1.Backup) *backupv1.Backup {
	out := &backupv1.Backup{ObjectMeta: *in.ObjectMeta.DeepCopy()}
	out.SetGroupVersionKind(backupv1.SchemeGroupVersion.WithKind("Backup"))
	keep := time.Duration(in.Spec.KeepDays) * day
	// The annotation counts unless a client of v1beta1 has changed the number of days.
	if exact, err := time.ParseDuration(in.Annotations[keepAnnotation]); err == nil && exact/day == keep/day {
		keep = exact
	}
	delete(out.Annotations, keepAnnotation)
	out.Spec = backupv1.BackupSpec{Database: in.Spec.Database, Keep: metav1.Duration{Duration: keep}}
	return out
}
