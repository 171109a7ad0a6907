package engine

// pageLen is how many items of a table lie together.
const pageLen = 1 << 12

// A table holds an item for each job, by job number. It grows page by page: nothing is ever copied.
type table[T any] struct {
	pages []*[pageLen]T
	len   uint32
}

// add adds the item of the job that arrives.
func (t *table[T]) add(x T) {
	if t.len%pageLen == 0 {
		t.pages = append(t.pages, new([pageLen]T))
	}
	t.len++
	*t.at(t.len - 1) = x
}

// at returns the item of a job that has arrived.
func (t *table[T]) at(number uint32) *T { return &t.pages[number/pageLen][number%pageLen] }
