package protobuf

// Tags of one byte: the number of a field, and how its value is encoded.
const (
	asVarint = 0
	asBytes  = 2
)

func tag(field, encoding byte) byte { return field<<3 | encoding }

// reader reads the fields of a message. After a doubt, nothing can be read.
type reader struct {
	text  []byte
	at    int
	doubt bool
}

func (r *reader) more() bool { return r.at < len(r.text) && !r.doubt }

// tag returns the next tag, if it is one byte.
func (r *reader) tag() byte {
	t := r.text[r.at]
	r.at++
	return t
}

// varint returns the next number.
func (r *reader) varint() (n uint64) {
	for shift := uint(0); shift < 64; shift += 7 {
		if r.at >= len(r.text) {
			break
		}
		b := r.text[r.at]
		r.at++
		n |= uint64(b&0x7F) << shift
		if b < 0x80 {
			return n
		}
	}
	r.doubt = true
	return 0
}

// span returns where the next bytes are in the text.
func (r *reader) span() (from, to int) {
	n := r.varint()
	if r.doubt || n > uint64(len(r.text)-r.at) {
		r.doubt = true
		return 0, 0
	}
	from = r.at
	r.at += int(n)
	return from, r.at
}

// bytes returns the next bytes, as a part of the text.
func (r *reader) bytes() []byte {
	from, to := r.span()
	return r.text[from:to:to]
}

// envelope is the content of a [runtime.Unknown], as parts of the text.
type envelope struct{ apiVersion, kind, raw []byte }

// readEnvelope reads an envelope with each field at most once, and with the object.
func readEnvelope(text []byte) (e envelope, ok bool) {
	r := reader{text: text}
	seen := 0
	for r.more() {
		t := r.tag()
		switch t {
		case tag(1, asBytes):
			e.apiVersion, e.kind, ok = readTypeMeta(r.bytes())
			if !ok {
				return e, false
			}
		case tag(2, asBytes):
			e.raw = r.bytes()
		case tag(3, asBytes), tag(4, asBytes): // content encoding and type, which decoders ignore
			r.bytes()
		default:
			return e, false
		}
		if bit := 1 << (t >> 3); seen&bit == 0 {
			seen |= bit
		} else {
			return e, false
		}
	}
	return e, !r.doubt && seen&(1<<2) != 0
}

func readTypeMeta(text []byte) (apiVersion, kind []byte, ok bool) {
	r := reader{text: text}
	for r.more() {
		switch r.tag() {
		case tag(1, asBytes):
			apiVersion = r.bytes()
		case tag(2, asBytes):
			kind = r.bytes()
		default:
			return nil, nil, false
		}
	}
	return apiVersion, kind, !r.doubt
}
