package validation

import "maps"

// functions are the checks of several fields, by their names in the tables.
var functions = joined(podChecks, containerChecks, volumeChecks, schedulingChecks, resourceChecks, workloadChecks, batchChecks, jobStatusChecks, serviceChecks, networkChecks, storageChecks, clusterChecks,
	ephemeralChecks, statusChecks, podStatusChecks, quotaChecks, flowChecks, signingChecks, podCertificateChecks, migrationChecks, deviceChecks, deviceSliceChecks, claimStatusChecks, selectorChecks, attachmentChecks, nodeChecks, metricChecks, restartChecks, podAnnotationChecks, profileChecks, windowsChecks, sourceChecks)

func joined(all ...map[string]check) map[string]check {
	out := map[string]check{}
	for _, some := range all {
		maps.Copy(out, some)
	}
	return out
}
