package perturb_test

import (
	"regexp"

	"github.com/listwatch/listwatch/apitest/perturb"
)

// disturbed is what was found in a program of others.
type disturbed struct {
	Name           string
	Tried, Planned int // schedules
	Pruned, Pairs  int // schedules that were left out, and those with two disturbances that were run
	Findings       []perturb.Finding
}

// judgement says of some reports whether a maintainer would accept them as bugs.
type judgement struct {
	report string // a regular expression for the report
	bug    bool
	why    string
}

// judgements are those of the reports of programs, by their names.
var judgements = map[string][]judgement{
	"garbagecollector": {{
		report: `(?s)miss (configmaps|everything) .*secrets default/a is left, its owner configmaps default/owner is deleted`, bug: true,
		why: "an owner that is deleted and created again unseen arrives as an update, of an object with another UID; the graph keeps the old UID as one that exists, and what the first owner had is left until the collector starts again",
	}},
	"jobset": {{
		report: `"message": "jobset is suspended"`, bug: true,
		why: "jobs are resumed first, and the condition Suspended is set to False afterwards; if that write is lost and the jobs have ended by then, the JobSet stays Completed and Suspended",
	}, {
		report: `(?s)restart with the state before program delete jobs\.batch default/b-x-0\n.*\n\s+- jobs\.batch default/b-x-0\n`, bug: true,
		why: "jobs of the attempt before are deleted by their names, without their UIDs: a process that is connected to a server that lags deletes those of the next attempt",
	}},
	"kuberay (RayCluster)": {{
		report: `(?s)pods default/r-head-\* #2.*"reason": "HeadPodNotFound"`, bug: true,
		why: "a process that has just started creates a second head pod if it does not see the first yet, and with two it only returns errors",
	}, {
		report: `(?s)disturbed \+\n\s+rayclusters\.ray\.io default/r\n\s+- "observedGeneration": "0 behind",\n\s+\+ "observedGeneration": "[1-9]\d* behind",\nwhat happened`, bug: true,
		why: "the status is written if it differs, but observedGeneration is not compared, so that it stays behind if nothing else differs",
	}, {
		report: `(?s)disturbed \+\n\s+rayclusters\.ray\.io default/r\n\s+- "availableWorkerReplicas": 1,\n\s+- "readyWorkerReplicas": 1,\nwhat happened`, bug: true,
		why: "the status is compared with the cached one, which may be older than the last write; then the numbers of workers stay wrong until the next reconciliation after five minutes",
	}},
	"lws": {{
		report: `(?s)the end state is that of the undisturbed run\n\s+undisturbed -, disturbed \+\n(\s+[-+] controllerrevisions\.apps \S+\n)+what happened`, bug: true,
		why: "the next process finds no StatefulSet, so that it creates a second revision with the same content; what looks up revisions logs that as an error",
	}},
}

// judge returns the judgement of a report, or nil.
func judge(program string, f perturb.Finding) *judgement {
	for i, j := range judgements[program] {
		if regexp.MustCompile(j.report).MatchString(f.Report) {
			return &judgements[program][i]
		}
	}
	return nil
}
