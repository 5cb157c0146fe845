package breaking

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/listwatch/listwatch/internal/breaking"
)

type object = map[string]any

// server reads and validates objects as the API server does with a schema.
type server struct {
	schema    *structural.Structural
	validator validation.SchemaValidator
	rules     *cel.Validator
}

// newServer returns an error for schemas that a definition cannot have.
func newServer(schema object) (*server, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var external apiextensionsv1.JSONSchemaProps
	if err = json.Unmarshal(text, &external); err != nil {
		return nil, err
	}
	var props apiextensions.JSONSchemaProps
	if err = apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, &props, nil); err != nil {
		return nil, err
	}
	s := &server{}
	if s.schema, err = structural.NewStructural(&props); err != nil {
		return nil, err
	}
	if errs := structural.ValidateStructural(nil, s.schema); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	if errs, _ := defaulting.ValidateDefaults(context.Background(), nil, s.schema, true, false); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	if s.validator, _, err = validation.NewSchemaValidator(&props); err != nil {
		return nil, err
	}
	s.rules = cel.NewValidator(s.schema, true, celconfig.PerCallLimit)
	return s, nil
}

// read returns an object as the server returns what is stored, and whether it lost something.
func (s *server) read(o object) (read object, lost bool) {
	read = runtime.DeepCopyJSON(o)
	pruning.Prune(read, s.schema, true)
	lost = !reflect.DeepEqual(read, o)
	defaulting.PruneNonNullableNullsWithoutDefaults(read, s.schema)
	defaulting.Default(read, s.schema)
	return read, lost
}

// check returns the reason why an object is invalid, or "".
func (s *server) check(o object) string {
	errs := validation.ValidateCustomResource(nil, o, s.validator)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.schema, o)...)
	if len(errs) == 0 && s.rules != nil {
		found, _ := s.rules.Validate(context.Background(), nil, s.schema, o, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, found...)
	}
	if len(errs) == 0 {
		return ""
	}
	return errs.ToAggregate().Error()
}

// ratchet returns the reason why the server rejects an update, or "".
func (s *server) ratchet(updated, old object) string {
	correlated := common.NewCorrelatedObject(updated, old, &model.Structural{Structural: s.schema})
	errs := validation.ValidateCustomResourceUpdate(nil, updated, old, s.validator, validation.WithRatcheting(correlated))
	if len(listtype.ValidateListSetsAndMaps(nil, s.schema, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.schema, updated)...)
	}
	if len(errs) == 0 && s.rules != nil {
		found, _ := s.rules.Validate(context.Background(), nil, s.schema, updated, old, celconfig.RuntimeCELCostBudget, cel.WithRatcheting(correlated))
		errs = append(errs, found...)
	}
	if len(errs) == 0 {
		return ""
	}
	return errs.ToAggregate().Error()
}

// invalid reports whether an object was rejected because a rule does not compile, with which the server
// rejects the definition.
func invalid(reason string) bool { return strings.Contains(reason, "compilation failed") }

// effect returns what the changes break.
func effect(changes []breaking.Change) breaking.Effect {
	var e breaking.Effect
	for _, c := range changes {
		e |= c.Effect
	}
	return e
}

// TestStoredObjects compares verdicts about random changes of random schemas with the API server.
func TestStoredObjects(t *testing.T) {
	const (
		pairs   = 2500
		objects = 30
	)
	random := rand.New(rand.NewPCG(1, 2))
	var compared, calledBroken, broken, compatible int
	confirmed := map[string]int{}
	for range pairs {
		g := generator{random}
		before := g.root()
		after := runtime.DeepCopyJSON(before)
		g.mutate(after)
		old, err := newServer(before)
		if err != nil {
			continue
		}
		updated, err := newServer(after)
		if err != nil {
			continue
		}
		compared++
		changes := breaking.Schemas(before, after)
		breaks := effect(changes)&breaking.Objects != 0
		if breaks {
			calledBroken++
		} else if len(changes) > 0 {
			compatible++
		}
		found := false
		for range objects {
			o, _ := old.read(g.object(before))
			if old.check(o) != "" {
				continue
			}
			read, lost := updated.read(o)
			reason := updated.check(read)
			if !lost && reason == "" || invalid(reason) {
				continue
			}
			found = true
			if !breaks {
				t.Fatalf("called compatible, but an object is invalid or loses data (%v): %s\nbefore: %s\nafter: %s\nobject: %s\nread: %s\nchanges: %v",
					lost, reason, show(before), show(after), show(o), show(read), changes)
			}
		}
		if found {
			broken++
			for _, c := range changes {
				if c.Effect&breaking.Objects != 0 && len(changes) == 1 {
					confirmed[keyword(c.Text)]++
				}
			}
		}
	}
	t.Logf("%d pairs of schemas: %d called compatible, %d breaking, of which an object confirms %d; confirmed alone: %v", compared, compatible, calledBroken, broken, confirmed)
	if compared < pairs/2 || broken < calledBroken/3 || compatible < compared/10 {
		t.Errorf("the comparison is weak: %d pairs, %d compatible, %d called breaking, %d confirmed", compared, compatible, calledBroken, broken)
	}
}

// keyword returns the first word of a message.
func keyword(text string) string {
	var word string
	_, _ = fmt.Sscan(text, &word)
	return word
}

func show(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestRatcheted checks that objects which a change marked Ratcheted makes invalid can still be updated elsewhere.
func TestRatcheted(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	checked := 0
	for range 1500 {
		g := generator{random}
		inner := g.schema(2)
		before := object{"type": "object", "properties": object{"spec": inner, "other": object{"type": "string"}}}
		after := runtime.DeepCopyJSON(before)
		g.mutate(after["properties"].(object)["spec"].(object))
		old, err := newServer(before)
		if err != nil {
			continue
		}
		updated, err := newServer(after)
		if err != nil {
			continue
		}
		changes := breaking.Schemas(before, after)
		if effect(changes)&breaking.Objects == 0 || slices.ContainsFunc(changes, func(c breaking.Change) bool {
			return c.Effect&breaking.Objects != 0 && !c.Ratcheted || c.Text[0:min(7, len(c.Text))] == "default"
		}) {
			continue
		}
		for range 20 {
			o, _ := old.read(g.object(before))
			if old.check(o) != "" {
				continue
			}
			read, _ := updated.read(o)
			if reason := updated.check(read); reason == "" || invalid(reason) || updated.schema.Properties["spec"].Default.Object != nil {
				continue
			}
			update := runtime.DeepCopyJSON(read)
			update["other"] = "changed"
			if reason := updated.ratchet(update, read); reason != "" && !invalid(reason) {
				t.Fatalf("an update elsewhere is rejected: %s\nbefore: %s\nafter: %s\nobject: %s\nchanges: %v", reason, show(before), show(after), show(read), changes)
			}
			checked++
		}
	}
	t.Logf("%d updates", checked)
	if checked < 100 {
		t.Errorf("only %d updates were checked", checked)
	}
}
