package schema

import (
	"strings"
	"sync"
)

// irregular are nouns with their plurals. A number of them end longer words too, such as database; those
// in alone do not.
const (
	irregular = `
		aircraft=aircraft beef=beef bison=bison blues=blues chassis=chassis deer=deer fish=fish moose=moose
		police=police salmon=salmon series=series sheep=sheep shrimp=shrimp species=species swine=swine
		trout=trout tuna=tuna you=you child=children foot=feet goose=geese man=men human=humans mouse=mice
		tooth=teeth woman=women person=people adieu=adieux fabliau=fabliaux bureau=bureaus
		criterion=criteria ganglion=ganglia lexicon=lexica mitochondrion=mitochondria noumenon=noumena
		phenomenon=phenomena taxon=taxa media=media medium=media stadium=stadiums aquarium=aquaria
		auditorium=auditoria symposium=symposia curriculum=curriculums quota=quotas alumnus=alumni
		bacillus=bacilli cactus=cacti coccus=cocci focus=foci locus=loci nucleus=nuclei octopus=octupuses
		radius=radii syllabus=syllabi corpus=corpora genus=genera alumna=alumnae vertebra=vertebrae
		differentia=differentiae minutia=minutiae vita=vitae larva=larvae postcava=postcavae
		praecava=praecavae uva=uvae apex=apices codex=codices index=indices latex=latices vertex=vertices
		vortex=vortices appendix=appendices radix=radices helix=helices crisis=crises ellipsis=ellipses
		genesis=geneses oasis=oases thesis=theses testis=testes base=bases basis=bases vedalia=vedalias
		abuse=abuses cause=causes clause=clauses cruse=cruses excuse=excuses fuse=fuses house=houses
		misuse=misuses muse=muses pause=pauses ache=aches topaz=topazes buffalo=buffaloes potato=potatoes
		tomato=tomatoes equipment=equipment information=information jeans=jeans money=money news=news
		rice=rice dwarf=dwarfs hoof=hoofs thief=thieves chive=chives hive=hives move=moves movie=movies
		cookie=cookies pretorium=pretoriums agenda=agendas formula=formulas shoe=shoes graffiti=graffiti`
	alone = `ox=oxen louse=lice die=dice axis=axes alias=aliases use=uses toe=toes`
	// plurals are other plurals of irregular nouns, which have none themselves.
	plurals = `
		beefs fishes salmons shrimps swines trouts tunas adieus bureaux ganglions lexicons mitochondrions
		mediums stadia aquariums auditoriums symposiums curricula alumnuses cactuses focuses locuses
		nucleuses octopi radiuses corpuses apexes codexes indexes latexes vertexes vortexes appendixes
		radixes helixes buffalos dwarves hooves formulae`
)

// endings are the ends of nouns with those of their plurals. The first that fits counts, whether the
// word is a plural already or not.
const endings = `
	tive=tives eaf=eaves oaf=oaves afe=aves arf=arves rfe=rves rf=rves lf=lves fe=ves
	ay=ays ey=eys oy=oys quy=quies uy=uys y=ies eau=eaux
	bula=bulae dula=bulae lula=bulae nula=bulae vula=bulae hedron=hedra
	ium=ia seum=seums eum=ea oum=oa stracum=straca dum=da elum=ela ilum=ila olum=ola ulum=ula llum=lla
	ylum=yla imum=ima ernum=erna gnum=gna brum=bra crum=cra terum=tera serum=sera trum=tra antum=anta
	atum=ata entum=enta etum=eta itum=ita otum=ota utum=uta ctum=cta ovum=ova
	trix=trices iasis=iases mesis=meses kinesis=kineses resis=reses gnosis=gnoses opsis=opses ysis=yses
	ouse=ouses lause=lauses us=uses ch=ches io=ios sh=shes ss=sses ez=ezzes iz=izzes tz=tzes zz=zzes
	ano=anos lo=los to=tos oo=oos o=oes x=xes`

// noun is the end of a noun, or all of it, in both forms.
type noun struct{ one, many string }

func nouns(text string) []noun {
	var list []noun
	for pair := range strings.FieldsSeq(text) {
		one, many, _ := strings.Cut(pair, "=")
		list = append(list, noun{one, many})
	}
	return list
}

// inflection has the tables above in the form in which they are searched.
type inflection struct {
	// words are whole words and their plurals.
	words map[string]string
	// ends are the ends of words, in the order of their precedence.
	ends []noun
}

var english = sync.OnceValue(func() inflection {
	in := inflection{words: map[string]string{}}
	compound := nouns(irregular)
	for _, many := range strings.Fields(plurals) {
		in.words[many] = many
	}
	all := append(nouns(alone), compound...)
	for _, n := range all {
		in.words[n.many] = n.many
	}
	for _, n := range all {
		in.words[n.one] = n.many
	}
	// Of two that fit, the later and longer one counts: woman after man.
	for i := len(compound) - 1; i >= 0; i-- {
		in.ends = append(in.ends, compound[i])
	}
	in.ends = append(in.ends, nouns(endings)...)
	return in
})

// plural returns the plural of a kind in lower case, as controller-gen derives it from English: it
// inflects the last word of the kind.
func plural(kind string) string {
	last := lastWord(kind)
	return strings.ToLower(strings.TrimSuffix(kind, last) + inflect(last))
}

// inflect returns the plural of a word that may start with capital letters.
func inflect(word string) string {
	in := english()
	if many, ok := in.words[strings.ToLower(word)]; ok {
		return many
	}
	for _, end := range in.ends {
		if strings.HasSuffix(word, end.many) {
			return word
		}
		if stem, ok := strings.CutSuffix(word, end.one); ok {
			return stem + end.many
		}
	}
	switch {
	case strings.HasSuffix(word, "S"): // an abbreviation
		return word + "es"
	case strings.HasSuffix(word, "s"):
		return word
	}
	return word + "s"
}

// lastWord returns the last word of a name in camel case. Capital letters in a row are one word,
// without the last of them if small letters follow.
func lastWord(name string) string {
	for i := len(name) - 1; i > 0; i-- {
		lowerAfter := i+1 < len(name) && !isUpper(name[i+1])
		if isUpper(name[i]) && (!isUpper(name[i-1]) || lowerAfter) {
			return name[i:]
		}
	}
	return name
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
