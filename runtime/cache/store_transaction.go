package cache

import (
	"fmt"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// TransactionType is what a [Transaction] does.
type TransactionType string

// The types of transactions.
const (
	TransactionTypeAdd    TransactionType = "Add"
	TransactionTypeUpdate TransactionType = "Update"
	TransactionTypeDelete TransactionType = "Delete"
)

// Transaction is one of several writes to a store.
type Transaction struct {
	Object any
	Type   TransactionType
}

// TransactionStore is a store that can make several writes atomically; the stores of this package
// implement it.
type TransactionStore interface {
	// Transaction makes the writes in order, and readers see all of them or none. Writes that
	// fail are skipped; the error is nil if none fails.
	Transaction(txns ...Transaction) *TransactionError
}

// TransactionError reports which writes of a transaction failed.
type TransactionError struct {
	SuccessfulIndices []int   // of the writes that succeeded
	TotalTransactions int     // number of writes
	Errors            []error // of the writes that failed, in order
}

// Error returns how many writes failed, and why.
func (e *TransactionError) Error() string {
	return fmt.Sprintf("failed to execute (%d/%d) transactions failed due to: %v",
		e.TotalTransactions-len(e.SuccessfulIndices), e.TotalTransactions, e.Errors)
}

func (s objectStore) Transaction(txns ...Transaction) *TransactionError {
	deltas := make([]delta.Delta, 0, len(txns))
	done := make([]int, 0, len(txns))
	var errs []error
	for i, txn := range txns {
		var d delta.Delta
		var err error
		switch txn.Type {
		case TransactionTypeAdd, TransactionTypeUpdate:
			err = s.Prepare(&d, txn.Object)
		case TransactionTypeDelete:
			err = s.PrepareDelete(&d, txn.Object)
		default:
			err = fmt.Errorf("unknown transaction type %q", txn.Type)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		deltas, done = append(deltas, d), append(done, i)
	}
	s.Transact(deltas)
	if errs == nil {
		return nil
	}
	return &TransactionError{SuccessfulIndices: done, TotalTransactions: len(txns), Errors: errs}
}
