package perturb

import "time"

// pace has the durations of a run.
type pace struct {
	virtual  bool          // whether the run is in a bubble, with virtual time
	rest     time.Duration // without a write of the program, between writes of users
	lease    time.Duration // the same while a lease changes hands
	recovery time.Duration // the same after a disturbance: retries back off
	end      time.Duration // the same at the end
	limit    time.Duration // a program that still writes then does not come to rest
	restart  time.Duration // a process is restarted so long after it has ended
	late     time.Duration // at most how late a webhook responds, but within its time-out
	linger   time.Duration // goroutines of the program that end by themselves have so long
	bound    time.Duration // of the real time of a run
}

// latency is that of the program's writes.
const latency = time.Millisecond

// virtualPace is that of runs in a bubble. They take some ten milliseconds on an idle machine.
var virtualPace = pace{
	virtual: true,
	rest:    2 * time.Second, lease: time.Minute, recovery: time.Minute, end: time.Minute, limit: 15 * time.Minute,
	restart: time.Second, late: time.Minute, linger: time.Hour,
	bound: 2 * time.Minute,
}

// realPace is that of runs in real time, in which a program rests when it has done nothing for so long.
func realPace(rest time.Duration) pace {
	return pace{
		rest: rest, lease: max(30*time.Second, 5*rest), recovery: 5 * rest, end: 5 * rest, limit: max(time.Minute, 100*rest),
		restart: rest, late: 5 * rest,
		bound: max(5*time.Minute, 1000*rest),
	}
}

func (c Controller) pace() pace {
	p := virtualPace
	if c.RealTime > 0 {
		p = realPace(c.RealTime)
	}
	if c.Recovery > 0 {
		p.recovery, p.end, p.limit = c.Recovery, c.Recovery, p.limit+2*c.Recovery
		if !p.virtual {
			p.bound += 10 * c.Recovery
		}
	}
	return p
}
