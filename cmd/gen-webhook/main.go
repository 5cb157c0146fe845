// Gen-webhook generates the configurations of admission webhooks from markers in the source of a program.
//
//	gen-webhook [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./..., and writes one file manifests.yaml with a
// MutatingWebhookConfiguration and a ValidatingWebhookConfiguration, as far as markers request them, as controller-gen's
// generator webhook does.
//
// # Examples
//
// Generate config/webhook/manifests.yaml for all packages of the module:
//
//	gen-webhook ./...
//
// Fail in CI if the output is out of date:
//
//	gen-webhook --verify ./...
//
// # Markers
//
// A marker is a line of a comment, such as this one:
//
//	// +kubebuilder:webhook:path=/mutate-example-com-v1-shoe,mutating=true,failurePolicy=fail,sideEffects=None,groups=example.com,resources=shoes,verbs=create;update,versions=v1,name=mshoe.example.com,admissionReviewVersions=v1
//
// These arguments are required. Lists are separated by semicolons:
//
//	name                     a name with at least three parts, such as vshoe.example.com
//	mutating                 true, or false for a webhook that validates
//	failurePolicy            fail, or ignore
//	sideEffects              None, or NoneOnDryRun
//	groups, versions, resources, verbs
//	                         the requests: create, update, delete, connect, or *
//	admissionReviewVersions  v1
//	path or url              the path at the service, or an address outside of the cluster
//
// These are optional:
//
//	serviceName, serviceNamespace, servicePort
//	                         the service; webhook-service, system and 443 without them
//	matchPolicy              Exact, or Equivalent
//	timeoutSeconds           1 to 30
//	reinvocationPolicy       Never, or IfNeeded, of webhooks that mutate
//	webhookVersions          v1
//	patch                    a strategic merge patch of the webhook in JSON, in backquotes
//
// This marker names a configuration, instead of mutating-webhook-configuration and validating-webhook-configuration:
//
//	// +kubebuilder:webhookconfiguration:mutating=true,name=shop
//
// The comments can be anywhere in a file outside of declarations, but not in the doc comment of a function or type: there
// must be an empty line between.
//
// # Errors
//
// What controller-gen refuses is an error. What it generates although API servers refuse it is a warning, and an error of
// gen-all: invalid and repeated names, unknown verbs and policies, lists that are empty or have * and others, invalid paths
// and addresses. Markers without effect are warnings of both; --strict turns all warnings into errors.
//
// The comment +listwatch:ignore silences the warnings about the next line. Add a reason after the equals
// sign, as in // +listwatch:ignore=required by legacy clients.
//
// # Exit codes
//
// 0: success. 1: invalid input, reported as file:line:col: message, or with --verify, stale output;
// nothing was written. 2: invalid flags.
package main

import (
	"context"
	_ "embed"
	"os"

	"github.com/listwatch/listwatch/internal/cli"
)

//go:embed main.go
var source string

func main() {
	os.Exit(cli.GenWebhook(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
