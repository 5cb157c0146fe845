package random

import (
	"fmt"
	"strings"
)

const objectInterface = "k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object"

// packageMarkers returns the comment lines with the markers of a version.
func (w *writer) packageMarkers(e *Example) string {
	markers := []string{"groupName=" + w.group}
	switch {
	case e.Clients:
		markers = append(markers, "k8s:deepcopy-gen=package", "k8s:register-gen=package")
	case w.kubebuilder:
		markers = append(markers, "kubebuilder:object:generate=true")
	default:
		markers = append(markers, w.pick("k8s:deepcopy-gen=package", "k8s:deepcopy-gen=package,register", "k8s:deepcopy-gen=package"))
	}
	if w.one(10) {
		markers = append(markers, validation+w.pick("Optional", "Required"))
	}
	if w.one(8) {
		markers = append(markers, w.pick("k8s:openapi-gen=true", "k8s:defaulter-gen=TypeMeta", "k8s:conversion-gen=example.test/internal", "k8s:protobuf-gen=package"))
	}
	if w.odd(12) {
		markers = append(markers, w.pick("kubebuilder:skip", "versionName=v7", "kubebuilder:validation:Minimum=1", "k8s:deepcopy-gen=pakage", "groupname=x", "kubebuilder:object:root=true", "k8s:register-gen=false", "k8s:prerelease-lifecycle-gen=true"))
	}
	w.Shuffle(len(markers), func(i, j int) { markers[i], markers[j] = markers[j], markers[i] })
	var b strings.Builder
	for _, m := range markers {
		b.WriteString("// +" + m + "\n")
	}
	return b.String()
}

// kind returns the declarations of a kind and of its list.
func (w *writer) kind(e *Example, s *scope, kind string, first, several bool) []string {
	parts := []string{kind + "Spec"}
	status := !w.one(4)
	if status {
		parts = append(parts, kind+"Status")
	}
	var texts []string
	for _, name := range parts {
		fields, tags := w.fields(name, s, 1+w.IntN(5), 2)
		if w.one(2) {
			fields = append(fields, "\t// Replicas is a number.\n\t//\n\t// +optional\n\tTheReplicas int32 `json:\"theReplicas,omitempty\"`\n")
		}
		markers := w.ofType(object, tags)
		if w.one(4) {
			fields = append(fields, "\t// +optional\n\tOneA *string `json:\"oneA,omitempty\"`\n\t// +optional\n\tOneB *int32 `json:\"oneB,omitempty\"`\n")
			markers = append(markers, validation+w.pick("AtMostOneOf=oneA;oneB", `ExactlyOneOf={"oneA","oneB"}`, "AtLeastOneOf=oneA;oneB"))
		}
		texts = append(texts, w.comment("", name, markers...)+"type "+name+" struct {\n"+strings.Join(fields, "")+"}\n")
	}
	var markers []string
	add := func(odds int, choices ...string) {
		if w.one(odds) {
			markers = append(markers, w.pick(choices...))
		}
	}
	cluster := w.one(4)
	if !w.one(5) {
		markers = append(markers, "kubebuilder:object:root=true")
	} else if w.kubebuilder {
		markers = append(markers, "kubebuilder:object:root=true")
	}
	if !w.kubebuilder || w.one(3) {
		markers = append(markers, objectInterface)
	}
	if status && !w.one(5) {
		markers = append(markers, "kubebuilder:subresource:status")
	}
	if several && first {
		markers = append(markers, "kubebuilder:storageversion")
	}
	var resource []string
	if w.one(8) {
		resource = append(resource, "path="+w.pick(strings.ToLower(kind)+"s", "many"+strings.ToLower(kind), `"`+strings.ToLower(kind)+`z"`))
	}
	if w.one(3) {
		resource = append(resource, w.pick("shortName=a;b", "shortName=ab", `shortName={"x","y"}`, "shortName="+strings.ToLower(kind[:1])))
	}
	if w.one(4) {
		resource = append(resource, w.pick("categories=all", "categories={all,some}", "categories=all;mine"))
	}
	if w.one(10) {
		resource = append(resource, "singular="+strings.ToLower(kind)+w.pick("", "one"))
	}
	if several {
		resource = nil // versions would contradict each other
		cluster = false
	}
	if cluster {
		resource = append(resource, "scope="+w.pick("Cluster", `"Cluster"`))
	} else if w.one(5) {
		resource = append(resource, "scope=Namespaced")
	}
	if len(resource) > 0 {
		markers = append(markers, "kubebuilder:resource:"+strings.Join(resource, ","))
	}
	if strings.Contains(texts[0], "TheReplicas") {
		add(3, `kubebuilder:printcolumn:name=Replicas,type=integer,JSONPath=.spec.theReplicas`, `kubebuilder:printcolumn:name="The Replicas",type="integer",JSONPath=".spec.theReplicas",description="How many, really",priority=1,format=int32`)
		if status && strings.Contains(texts[1], "TheReplicas") {
			add(3, "kubebuilder:subresource:scale:specpath=.spec.theReplicas,statuspath=.status.theReplicas", "kubebuilder:subresource:scale:specpath=.spec.theReplicas,statuspath=.status.theReplicas,selectorpath=.status.selector")
		}
		add(8, "kubebuilder:selectablefield:JSONPath=.spec.theReplicas", "kubebuilder:selectablefield:JSONPath=`.spec.theReplicas`")
	}
	add(3, `kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp`, "kubebuilder:printcolumn:name=\"Age\",type=\"date\",JSONPath=`.metadata.creationTimestamp`")
	add(12, `kubebuilder:deprecatedversion`, `kubebuilder:deprecatedversion:warning="use v2, please"`)
	add(10, `kubebuilder:metadata:annotations="a.example.com/b=c"`, `kubebuilder:metadata:annotations={"a=b","c=d, e"},labels="x=y"`, `kubebuilder:metadata:labels={"x=y"}`)
	if several && !first {
		add(6, "kubebuilder:unservedversion", "kubebuilder:skipversion")
	}
	if w.one(6) {
		markers = append(markers, w.rule(object))
	}
	if w.odd(6) {
		markers = append(markers, w.pick("kubebuilder:storageversion", "kubebuilder:resource:scope=Odd", "kubebuilder:printcolumn:name=A,type=odd,JSONPath=.spec", "kubebuilder:selectablefield:JSONPath=.spec.none", "kubebuilder:subresource:scale:specpath=.a,statuspath=.b",
			"kubebuilder:subresource:state", "kubebuilder:printcolumn:name=A", "kubebuilder:resource:path=Up", "kubebuilder:resource:shortname=a", "kubebuilder:metadata:annotations=a", "kubebuilder:skipversion", "kubebuilder:unservedversion", "kubebuilder:validation:Maximum=1", "kubebuilder:printcolumn:name=A,type=string,JSONPath=spec",
			"kubebuilder:resource:scope=Cluster", "genclient:nonNamespaced", "resourceName=other", "kubebuilder:object:root=false", "kubebuilder:subresource:status=true"))
	}
	if e.Clients {
		markers = append(markers, w.clients(kind, cluster, status)...)
	}
	w.Shuffle(len(markers), func(i, j int) { markers[i], markers[j] = markers[j], markers[i] })
	var b strings.Builder
	b.WriteString(w.comment("", kind, markers...))
	fmt.Fprintf(&b, "type %s struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n%s\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n", kind, w.pick("", "", "\t// Metadata is as usual.\n", "\t// +optional\n"))
	fmt.Fprintf(&b, "%s\tSpec %s%sSpec `json:\"spec%s\"`\n", w.comment("\t", "Spec"), w.pick("", "", "*"), kind, w.pick("", ",omitempty", ",omitzero"))
	if status {
		fmt.Fprintf(&b, "%s\tStatus %sStatus `json:\"status,omitempty\"`\n", w.comment("\t", "Status", w.some(1, "optional", "kubebuilder:default={}")...), kind)
	}
	if w.one(12) {
		b.WriteString("\tExtra string `json:\"extra,omitempty\"`\n")
	}
	b.WriteString("}\n")
	texts = append(texts, b.String())
	listMarkers := []string{"kubebuilder:object:root=true"}
	if !w.kubebuilder {
		listMarkers = append(listMarkers, objectInterface)
	}
	item := w.pick(kind, kind, kind, "*"+kind)
	texts = append(texts, w.comment("", kind+"List", listMarkers...)+fmt.Sprintf("type %sList struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata,omitempty\"`\n\n\tItems []%s `json:\"items\"`\n}\n", kind, item))
	return texts
}

// clients returns the markers of a kind with clients.
func (w *writer) clients(kind string, cluster, status bool) []string {
	markers := []string{"genclient"}
	if cluster {
		markers = append(markers, "genclient:nonNamespaced")
	}
	if !status || w.one(6) {
		markers = append(markers, "genclient:noStatus")
	}
	switch w.IntN(10) {
	case 0:
		markers = append(markers, "genclient:noVerbs")
	case 1:
		markers = append(markers, "genclient:onlyVerbs="+w.pick("get,list,watch", "get", "create,delete,get,list,update,watch", "get,list,watch,patch,apply"))
	case 2:
		markers = append(markers, "genclient:skipVerbs="+w.pick("patch", "apply,applyStatus", "deleteCollection,updateStatus", "watch"))
	}
	if w.one(4) {
		other := "k8s.io/api/autoscaling/v1.Scale"
		markers = append(markers, w.pick("genclient:method=GetScale,verb=get,subresource=scale,result="+other, "genclient:method=UpdateScale,verb=update,subresource=scale,input="+other+",result="+other,
			"genclient:method=Freeze,verb=update", "genclient:method=Draw,verb=create,subresource=drawing,input="+kind+",result="+kind, "genclient:method=Look,verb=get", "genclient:method=ListThem,verb=list", "genclient:method=Change,verb=patch", "genclient:method=Follow,verb=watch"))
	}
	return markers
}
