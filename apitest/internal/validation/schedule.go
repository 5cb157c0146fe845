package validation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// unit is a field of a schedule: its bounds and the names of its values.
type unit struct {
	low, high int
	names     string
}

var units = []unit{
	{0, 59, ""},
	{0, 23, ""},
	{1, 31, ""},
	{1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"},
	{0, 6, "sun mon tue wed thu fri sat"},
}

// parseSchedule checks a schedule as cron writes it: five fields, or a word such as @daily.
func parseSchedule(text string) error {
	if rest, ok := strings.CutPrefix(text, "TZ="); ok {
		text = "CRON_TZ=" + rest
	}
	if rest, ok := strings.CutPrefix(text, "CRON_TZ="); ok {
		zone, schedule, _ := strings.Cut(rest, " ")
		if _, err := time.LoadLocation(zone); err != nil {
			return fmt.Errorf("provided bad location %s: %w", zone, err)
		}
		text = strings.TrimSpace(schedule)
	}
	if strings.HasPrefix(text, "@") {
		return parseWord(text)
	}
	fields := strings.Fields(text)
	if len(fields) != len(units) {
		return fmt.Errorf("expected exactly %d fields, found %d: %s", len(units), len(fields), fields)
	}
	for i, u := range units {
		for part := range strings.FieldsFuncSeq(fields[i], func(c rune) bool { return c == ',' }) {
			if err := u.parse(part); err != nil {
				return err
			}
		}
	}
	return nil
}

func parseWord(word string) error {
	switch word {
	case "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly":
		return nil
	}
	every, ok := strings.CutPrefix(word, "@every ")
	if !ok {
		return fmt.Errorf("unrecognized descriptor: %s", word)
	}
	if _, err := time.ParseDuration(every); err != nil {
		return fmt.Errorf("failed to parse duration %s: %w", word, err)
	}
	return nil
}

// parse checks a number, a range or a star, each with a step.
func (u unit) parse(text string) error {
	span, step, stepped := strings.Cut(text, "/")
	low, high, ranged := strings.Cut(span, "-")
	from, to := u.low, u.high
	if low != "*" && low != "?" {
		var err error
		if from, err = u.number(low); err != nil {
			return err
		}
		switch {
		case strings.Contains(high, "-"):
			return fmt.Errorf("too many hyphens: %s", text)
		case ranged:
			if to, err = u.number(high); err != nil {
				return err
			}
		case !stepped:
			to = from
		}
	}
	by := 1
	if stepped {
		if strings.Contains(step, "/") {
			return fmt.Errorf("too many slashes: %s", text)
		}
		var err error
		if by, err = wholeNumber(step); err != nil {
			return err
		}
	}
	switch {
	case from < u.low:
		return fmt.Errorf("beginning of range (%d) below minimum (%d): %s", from, u.low, text)
	case to > u.high:
		return fmt.Errorf("end of range (%d) above maximum (%d): %s", to, u.high, text)
	case from > to:
		return fmt.Errorf("beginning of range (%d) beyond end of range (%d): %s", from, to, text)
	case by == 0:
		return fmt.Errorf("step of range should be a positive number: %s", text)
	}
	return nil
}

// number returns the value of a number or of a name.
func (u unit) number(text string) (int, error) {
	if i := slices.Index(strings.Fields(u.names), strings.ToLower(text)); i >= 0 {
		return u.low + i, nil
	}
	return wholeNumber(text)
}

func wholeNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("failed to parse int from %s: %w", text, err)
	case n < 0:
		return 0, fmt.Errorf("negative number (%d) not allowed: %s", n, text)
	}
	return n, nil
}
