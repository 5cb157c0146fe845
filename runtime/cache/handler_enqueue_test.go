package cache_test

import (
	"slices"
	"testing"

	"github.com/listwatch/listwatch/runtime/cache"
)

func TestEnqueue(t *testing.T) {
	lost := &cache.DeletedFinalStateUnknown{Key: "bay/c"}
	var keys, colors []string
	for _, handler := range []cache.TypedResourceEventHandler[*ship]{
		cache.EnqueueKeys[*ship](func(name cache.ObjectName) { keys = append(keys, name.String()) }),
		cache.EnqueueFor(func(name cache.ObjectName, s *ship) {
			if s == nil {
				colors = append(colors, name.String()+" unknown")
				return
			}
			colors = append(colors, name.String()+" "+s.Labels["color"])
		}),
	} {
		handler.OnAdd(newShip("bay/a", "red"), true)
		handler.OnUpdate(newShip("bay/a", "red"), newShip("bay/a", "blue"))
		handler.OnDelete(cache.DeletedObject[*ship]{OptionalObj: newShip("bay/b", "green")})
		handler.OnDelete(cache.DeletedObject[*ship]{FinalStateUnknown: lost})
	}
	if want := []string{"bay/a", "bay/a", "bay/b", "bay/c"}; !slices.Equal(keys, want) {
		t.Errorf("EnqueueKeys added %v, want %v", keys, want)
	}
	if want := []string{"bay/a red", "bay/a blue", "bay/b green", "bay/c unknown"}; !slices.Equal(colors, want) {
		t.Errorf("EnqueueFor added %v, want %v", colors, want)
	}
}
