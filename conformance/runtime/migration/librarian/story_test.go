package librarian

// story is what happens, from step to step.
const story = `
== start
*v1.Book has synced: true
*v1.Shelf has synced: true
add library/poems
add library/walden
put library/poems on "b"
put library/walden on "b"
shelf b is there, initially true
synced
update "Poems"/"" to "Poems"/"b" of library/poems
update "Walden"/"" to "Walden"/"b" of library/walden
== a book that has no room
add library/atlas
== a shelf for it
put library/atlas on "a"
shelf a is there, initially false
update "Atlas"/"" to "Atlas"/"a" of library/atlas
== a book changes its title
update "Poems"/"b" to "More Poems"/"b" of library/poems
== a book gets pages, and so passes the filter
add library/blank
put library/blank on "a"
update "Blank"/"" to "Blank"/"a" of library/blank
== a book loses its pages, and so does not pass
delete "More Poems"
delete library/poems
== an update in between
add library/essays
put library/essays on "a"
try library/essays again
update "Essays"/"" to "Essays"/"a" of library/essays
== a book is deleted
delete "Walden"
delete library/walden
library/walden is no more
== a book is deleted, and nobody sees it
delete library/atlas
library/atlas is no more
missed the deletion of "Atlas", key library/atlas
== a book is deleted and comes again
add library/essays
delete "Essays"
delete library/essays
library/essays is no more
put library/essays on "a"
update "Later Essays"/"" to "Later Essays"/"a" of library/essays
== a book gets its pages again
add library/poems
== a shelf is taken away
put library/poems on "a"
shelf b is gone
update "More Poems"/"b" to "More Poems"/"a" of library/poems
== list
1 book is labelled Poems
blank: "Blank" with 10 pages is on "a"
essays: "Later Essays" with 30 pages is on "a"
poems: "More Poems" with 80 pages is on "a"
shelf b: shelf.library.example.com "b" not found
== stop
`
