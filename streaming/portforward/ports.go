package portforward

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	netutils "k8s.io/utils/net"
)

// ForwardedPort is a local port, and the port of the pod to which it is forwarded.
type ForwardedPort struct {
	Local  uint16
	Remote uint16
}

// parsePorts parses ports: "5000" for the same port at both ends, "8888:5000" for a local and a remote port, and
// ":5000" or "0:5000" for any free local port.
func parsePorts(ports []string) ([]ForwardedPort, error) {
	parsed := make([]ForwardedPort, len(ports))
	for i, port := range ports {
		local, remote, both := strings.Cut(port, ":")
		switch {
		case strings.Contains(remote, ":"):
			return nil, fmt.Errorf("invalid port format '%s'", port)
		case !both:
			remote = local
		case local == "":
			local = "0"
		}
		from, err := strconv.ParseUint(local, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("error parsing local port '%s': %w", local, err)
		}
		to, err := strconv.ParseUint(remote, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("error parsing remote port '%s': %w", remote, err)
		}
		if to == 0 {
			return nil, errors.New("remote port must be > 0")
		}
		parsed[i] = ForwardedPort{uint16(from), uint16(to)}
	}
	return parsed, nil
}

// address is a local address to listen on.
type address struct {
	ip, network string
	// optional is set for the two addresses of localhost, of which one is enough.
	optional bool
}

// parseAddresses returns the addresses of IPs and of localhost, sorted and without duplicates. An IP that is also
// one of localhost's is what its last mention says, localhost's not counting.
func parseAddresses(texts []string) ([]address, error) {
	byIP := map[string]address{}
	for _, text := range texts {
		if text == "localhost" {
			for _, local := range []address{{"127.0.0.1", "tcp4", true}, {"::1", "tcp6", true}} {
				if _, known := byIP[local.ip]; !known {
					byIP[local.ip] = local
				}
			}
			continue
		}
		ip := netutils.ParseIPSloppy(text)
		switch {
		case ip == nil:
			return nil, fmt.Errorf("%s is not a valid IP", text)
		case ip.To4() != nil:
			byIP[text] = address{text, "tcp4", false}
		default:
			byIP[text] = address{text, "tcp6", false}
		}
	}
	addresses := make([]address, 0, len(byIP))
	for _, a := range byIP {
		addresses = append(addresses, a)
	}
	slices.SortFunc(addresses, func(a, b address) int { return strings.Compare(a.ip, b.ip) })
	return addresses, nil
}
