package clientcmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// promptForCredentials asks the user on standard output for a name, which it reads from r, and for a password,
// which it reads from standard input, a terminal, without an echo.
func promptForCredentials(r io.Reader) (username, password string, err error) {
	fmt.Print("Please enter Username: ")
	if _, err = fmt.Fscan(r, &username); err != nil {
		return "", "", fmt.Errorf("reading the user name: %w", err)
	}
	fmt.Print("Please enter Password: ")
	stdin := int(os.Stdin.Fd())
	if !term.IsTerminal(stdin) {
		return "", "", errors.New("error reading input for Password: standard input is not a terminal")
	}
	data, err := term.ReadPassword(stdin)
	if err != nil {
		return "", "", fmt.Errorf("reading the password: %w", err)
	}
	return username, string(data), nil
}
