package jsonscan

// Seconds parses a time as API servers write it, such as 2006-01-02T15:04:05Z, and returns it as seconds since 1970.
// It returns false for all other forms, of which some are valid too.
func Seconds(s []byte) (int64, bool) {
	if len(s) != len("2006-01-02T15:04:05Z") || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != 'Z' {
		return 0, false
	}
	century, month, hour, minute, second := pair(s, 0), pair(s, 5), pair(s, 11), pair(s, 14), pair(s, 17)
	year, day := pair(s, 2), pair(s, 8)
	if century|year|month|day|hour|minute|second < 0 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	year += century * 100
	if year == 0 || month < 1 || month > 12 || day < 1 || day > 28 && day > daysIn(year, month) {
		return 0, false
	}
	// Years begin with March here, so that the leap day is the last one.
	if month -= 3; month < 0 {
		month += 12
		year--
	}
	days := year*365 + year/4 - year/100 + year/400 + (month*153+2)/5 + day - 1 - daysBefore1970
	return ((int64(days)*24+int64(hour))*60+int64(minute))*60 + int64(second), true
}

// daysBefore1970 is the number of days from March 1 of the year 0 to the start of 1970.
const daysBefore1970 = 719468

// pair returns the number that the two digits at i represent, or a negative one.
func pair(s []byte, i int) int {
	tens, ones := s[i]-'0', s[i+1]-'0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return int(tens)*10 + int(ones)
}

func daysIn(year, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}
