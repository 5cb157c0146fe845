package clientgo

import (
	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/runtime/cache"
)

// ToIndexer returns an indexer of ours in the form of client-go's, for listers, for example. It
// reads and writes the same store.
func ToIndexer(indexer cache.Indexer) theirs.Indexer {
	if from, ok := indexer.(fromIndexer); ok {
		return from.Indexer
	}
	return toIndexer{indexer}
}

// FromIndexer returns an indexer of client-go's in the form of ours. It reads and writes the
// same store.
func FromIndexer(indexer theirs.Indexer) cache.Indexer {
	if to, ok := indexer.(toIndexer); ok {
		return to.Indexer
	}
	return fromIndexer{indexer}
}

type toIndexer struct{ cache.Indexer }

func (i toIndexer) GetIndexers() theirs.Indexers { return toIndexers(i.Indexer.GetIndexers()) }

func (i toIndexer) AddIndexers(indexers theirs.Indexers) error {
	return i.Indexer.AddIndexers(fromIndexers(indexers))
}

type fromIndexer struct{ theirs.Indexer }

func (i fromIndexer) GetIndexers() cache.Indexers { return fromIndexers(i.Indexer.GetIndexers()) }

func (i fromIndexer) AddIndexers(indexers cache.Indexers) error {
	return i.Indexer.AddIndexers(toIndexers(indexers))
}

func toIndexers(indexers cache.Indexers) theirs.Indexers {
	result := theirs.Indexers{}
	for name, index := range indexers {
		result[name] = theirs.IndexFunc(index)
	}
	return result
}

func fromIndexers(indexers theirs.Indexers) cache.Indexers {
	result := cache.Indexers{}
	for name, index := range indexers {
		result[name] = cache.IndexFunc(index)
	}
	return result
}
