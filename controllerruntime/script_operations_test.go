package controllerruntime_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// nobody is the key of an object that does not exist.
var nobody = client.ObjectKey{Namespace: "bay", Name: "nobody"}

func itemsOf(list client.ObjectList) []runtime.Object {
	items, err := meta.ExtractList(list)
	if err != nil {
		panic(err)
	}
	return items
}

var forms = []string{"", "unstructured", "metadata"}

// any1 draws an informer, mostly one that exists.
func (s *script) any1() informerID {
	if len(s.informers) > 0 && !s.oneIn(3) {
		return pick1(s.draw, s.sorted())
	}
	return informerID{pick1(s.draw, kinds), pick1(s.draw, forms)}
}

// track notes that both caches have an informer, if the answers show that.
func (s *script) track(id informerID, answers [2]answer) *informer {
	s.touched[id] = true
	failed := errorKind(answers[0].err)
	absent := failed == "no match" || failed == "not cached" || strings.Contains(failed, "unknown namespace") ||
		strings.HasPrefix(failed, "continue") && s.limits(id.kind)
	if s.informers[id] == nil && !absent {
		s.informers[id] = &informer{synced: map[string]bool{}}
	}
	return s.informers[id]
}

// isGone reports whether the definition of a kind that was read is gone. With namespaces, controller-runtime's cache asks the
// mapper for it then, which may have forgotten it: see TestReadsWithoutDefinition.
func (s *script) isGone(id informerID) bool { return s.informers[id] != nil && !s.served[id.resource] }

// timeout returns how long a call may take.
func timeout(blocked bool) time.Duration {
	if blocked {
		return impatience
	}
	return patience
}

// junk gives an object that is to be read a content that must not remain.
func (s *script) junk(obj client.Object) {
	if s.oneIn(4) {
		obj.SetName("junk")
		obj.SetLabels(map[string]string{"junk": "yes"})
	}
}

func (s *script) get() error {
	id := s.any1()
	key := client.ObjectKey{Namespace: pick1(s.draw, []string{"bay", "sea", "lake", "default", ""}), Name: pick1(s.draw, []string{"a", "b", "c", "d", "e", "f"})}
	if !id.namespaced && !s.oneIn(4) {
		key.Namespace = ""
	}
	var opts []client.GetOption
	if s.oneIn(5) && (id.namespaced || !s.limits(id.kind)) { // see TestUncopiedGet
		opts = append(opts, client.UnsafeDisableDeepCopy)
	}
	if s.oneIn(8) {
		opts = append(opts, &client.GetOptions{Raw: &metav1.GetOptions{ResourceVersion: "1"}})
	}
	out := id.object(id.form)
	s.junk(out)
	blocked := s.blocked(id, s.needs(id.kind, key.Namespace, false))
	answers := s.ask(timeout(blocked), func(ctx context.Context, _ int, c cache.Cache) answer {
		into := out.DeepCopyObject().(client.Object)
		err := c.Get(ctx, key, into, opts...)
		return answer{err, textOf(into)}
	})
	if s.track(id, answers); s.isGone(id) {
		return nil
	}
	return s.compare(fmt.Sprintf("get %s %s, %d options", id, key, len(opts)), blocked, answers)
}

func (s *script) list() error {
	id := s.any1()
	var o client.ListOptions
	text := "list " + id.String()
	if s.oneIn(2) {
		o.Namespace = pick1(s.draw, []string{"bay", "sea", "lake", "default"})
		text += " in " + o.Namespace
	}
	if s.oneIn(3) {
		l := pick1(s.draw, labelSelectors)
		o.LabelSelector = labelSelector(l)
		text += ", labels " + l
	}
	if s.oneIn(3) {
		f := pick1(s.draw, []string{"color=red", "color=blue,tier=1", "color=blue,name=a", "name=b", "name=b,unknown=x", "unknown=x", "color!=red", "color=red,name!=a", "", "tier=none,unknown=x"})
		o.FieldSelector = fields.ParseSelectorOrDie(f)
		text += fmt.Sprintf(", fields %q", f)
	}
	if s.oneIn(12) {
		o.Continue = "x"
		text += ", continued"
	}
	if s.oneIn(5) {
		client.UnsafeDisableDeepCopy.ApplyToList(&o)
		text += ", not copied"
	}
	blocked := s.blocked(id, s.needs(id.kind, o.Namespace, true))
	limited := !blocked && s.oneIn(6)
	if limited {
		o.Limit = 1 + s.Int64N(3)
		text += fmt.Sprint(", limit ", o.Limit)
	}
	answers := s.ask(timeout(blocked), func(ctx context.Context, _ int, c cache.Cache) answer {
		list := id.objects(id.form)
		err := c.List(ctx, list, &o)
		if limited {
			return answer{err, fmt.Sprint(len(itemsOf(list)), list.GetContinue())}
		}
		return answer{err, textOfList(list)}
	})
	if s.track(id, answers); s.isGone(id) {
		return nil
	}
	return s.compare(text, blocked, answers)
}

func (s *script) getInformer() error {
	id := s.any1()
	if s.isGone(id) {
		return nil
	}
	whole := s.blocked(id, s.scopesOf(id.kind))
	if s.started && s.ReaderFailOnMissingInformer && s.informers[id] == nil { // it creates one nevertheless
		whole = slices.ContainsFunc(s.scopesOf(id.kind), func(scope string) bool { return !s.canSync(id.kind, scope) })
	}
	var opts []cache.InformerGetOption
	wait := true
	if s.oneIn(3) || whole && s.ReaderFailOnMissingInformer {
		wait = false
		opts = append(opts, cache.BlockUntilSynced(false))
	} else if s.oneIn(3) {
		opts = append(opts, cache.BlockUntilSynced(true))
	}
	blocked := whole && wait
	ofKind := id.form == "" && s.oneIn(3)
	var informers [2]cache.Informer
	answers := s.ask(timeout(blocked), func(ctx context.Context, i int, c cache.Cache) (a answer) {
		if ofKind {
			informers[i], a.err = c.GetInformerForKind(ctx, id.GroupVersionKind, opts...)
		} else {
			informers[i], a.err = c.GetInformer(ctx, id.object(id.form), opts...)
		}
		if a.err == nil && wait && s.started {
			a.text = fmt.Sprint(informers[i].HasSynced(), informers[i].IsStopped())
		}
		return a
	})
	known := s.track(id, answers)
	if err := s.compare(fmt.Sprintf("informer of %s, wait %v, of kind %v", id, wait, ofKind), blocked, answers); err != nil || answers[0].err != nil {
		return err
	}
	known.whole = true
	if !s.oneIn(2) {
		return nil
	}
	s.say("handler of %s", id)
	pair := [2]*witness{newWitness(), newWitness()}
	for i, one := range informers {
		if _, err := one.AddEventHandler(pair[i]); err != nil {
			return err
		}
	}
	known.handlers = append(known.handlers, pair)
	return nil
}

// extractors are the functions of indexes, by field.
var extractors = map[string]client.IndexerFunc{
	"color": func(obj client.Object) []string { return []string{obj.GetLabels()["color"]} },
	"tier": func(obj client.Object) []string {
		if tier, ok := obj.GetLabels()["tier"]; ok {
			return []string{tier, "any"}
		}
		return nil
	},
	"name": func(obj client.Object) []string { return []string{obj.GetName()} },
}

func (s *script) indexField() error {
	id := s.any1()
	if s.isGone(id) {
		return nil
	}
	field := pick1(s.draw, slices.Sorted(maps.Keys(extractors)))
	answers := s.ask(patience, func(ctx context.Context, _ int, c cache.Cache) answer {
		return answer{err: c.IndexField(ctx, id.object(id.form), field, extractors[field])}
	})
	known := s.track(id, answers)
	if answers[0].err == nil {
		known.whole = true
	}
	// With namespaces, controller-runtime's cache may have added it to informers that will not start before one that has stopped.
	failed := s.stopped && answers[0].err != nil
	return s.compare(fmt.Sprintf("index %s of %s", field, id), failed, answers)
}

func (s *script) removeInformer() error {
	id := s.any1()
	if s.isGone(id) {
		return nil
	}
	answers := s.ask(patience, func(ctx context.Context, _ int, c cache.Cache) answer {
		return answer{err: c.RemoveInformer(ctx, id.object(id.form))}
	})
	if answers[0].err == nil {
		delete(s.informers, id)
		delete(s.touched, id)
	}
	return s.compare(fmt.Sprintf("remove %s", id), false, answers)
}

func (s *script) waitForSync() error {
	blocked := !s.started
	for id := range s.touched {
		known := s.informers[id]
		for _, scope := range s.scopesOf(id.kind) {
			if known != nil && known.synced[scope] || s.canSync(id.kind, scope) {
				continue
			}
			if known == nil || !known.whole {
				return nil // only ours may have an informer of this scope
			}
			blocked = true
		}
	}
	answers := s.ask(timeout(blocked), func(ctx context.Context, _ int, c cache.Cache) (a answer) {
		if !c.WaitForCacheSync(ctx) {
			a.err = errors.New("it has not synced")
		}
		return a
	})
	return s.compare("wait for sync", blocked, answers)
}

// canceled makes a call whose context ends at any moment. Its answer depends on time, later ones do not.
func (s *script) canceled() error {
	id, after := s.any1(), time.Duration(s.IntN(5))*time.Millisecond
	which := s.IntN(3)
	if s.ReaderFailOnMissingInformer {
		which = s.IntN(2) // controller-runtime's cache may create informers of some scopes only
	}
	answers := s.ask(patience, func(ctx context.Context, _ int, c cache.Cache) (a answer) {
		ctx, cancel := context.WithCancel(ctx)
		timer := time.AfterFunc(after, cancel)
		defer timer.Stop()
		defer cancel()
		switch which {
		case 0:
			a.err = c.Get(ctx, nobody, id.object(id.form))
		case 1:
			a.err = c.List(ctx, id.objects(id.form))
		default:
			_, a.err = c.GetInformer(ctx, id.object(id.form))
		}
		return a
	})
	s.say("canceled call %d of %s: %s, %s", which, id, errorKind(answers[0].err), errorKind(answers[1].err))
	s.track(id, answers)
	return nil
}

func (s *script) writes() error {
	for range 1 + s.IntN(5) {
		k := pick1(s.draw, kinds)
		if !s.served[k.resource] {
			continue
		}
		text, err := s.write(s.ctx, s.draw, k)
		s.say("%s", text)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

func (s *script) permission() error {
	k := pick1(s.draw, kinds)
	namespace := ""
	if k.namespaced && !s.oneIn(3) {
		namespace = pick1(s.draw, s.homes)
	}
	if s.granted[k.resource][namespace] {
		s.say("revoke %s in %q", k, namespace)
		return s.revoke(s.ctx, k, namespace)
	}
	s.say("grant %s in %q", k, namespace)
	return s.grant(s.ctx, k, namespace)
}

func (s *script) slowNamespace() error {
	if slow := slices.Sorted(maps.Keys(s.slow)); len(slow) > 0 {
		s.say("as fast as before: %s", slow[0])
		return s.speedUp(s.ctx, slow[0])
	}
	k := pick1(s.draw, kinds)
	if k.namespaced {
		namespace := pick1(s.draw, s.homes)
		s.say("slow: %s in %s", k, namespace)
		s.slowDown(k, namespace)
	}
	return nil
}

func (s *script) fault() error {
	faults := s.srv.Faults()
	k := pick1(s.draw, kinds)
	of := embedded.Match{Resource: k.resource, User: s.user}
	switch s.IntN(5) {
	case 0:
		s.say("watches of %s end", k)
		faults.DropWatches(of)
	case 1:
		s.say("connections are cut")
		return s.cut(s.ctx)
	case 2:
		s.say("history expires")
		faults.ExpireHistory()
		faults.DropWatches()
	default:
		err := pick1(s.draw, []error{
			apierrors.NewUnauthorized("expired"), apierrors.NewInternalError(errors.New("broken")),
			apierrors.NewTooManyRequests("busy", 0), apierrors.NewResourceExpired("too old"),
			apierrors.NewForbidden(schema.GroupResource{Resource: k.resource}, "", errors.New("for now")),
		})
		s.say("requests of %s fail once or twice: %v", k, err)
		failing := faults.Inject(embedded.Rule{Match: of, Error: err, Times: 1 + s.IntN(2)})
		defer failing.Remove()
		faults.DropWatches(of)
		return s.settle()
	}
	return nil
}

func (s *script) restartServer() error {
	s.say("restart")
	return s.restart(s.ctx)
}

func (s *script) definition() error {
	var custom []*kind
	for _, k := range kinds {
		if k.custom {
			custom = append(custom, k)
		}
	}
	k := pick1(s.draw, custom)
	if !s.served[k.resource] {
		s.say("define %s", k)
		return s.serve(s.ctx, k)
	}
	s.say("remove the definition of %s", k)
	if err := s.clear(s.ctx, k); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	return s.withdraw(s.ctx, k)
}

func (s *script) namespace() error {
	if len(s.homes) == len(homes) {
		return nil
	}
	s.say("create namespace %s", homes[2])
	return s.addHome(s.ctx, homes[2])
}
