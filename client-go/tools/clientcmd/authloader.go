package clientcmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/term"

	"k8s.io/client-go/tools/auth"
)

// AuthLoader reads credentials in the format of package auth.
type AuthLoader interface {
	// LoadAuth returns the credentials in a file.
	LoadAuth(path string) (*auth.Info, error)
}

// NewDefaultAuthLoader returns a loader that reads the file.
func NewDefaultAuthLoader() AuthLoader { return fileAuthLoader{} }

type fileAuthLoader struct{}

func (fileAuthLoader) LoadAuth(path string) (*auth.Info, error) { return auth.LoadFromFile(path) }

// PromptingAuthLoader asks the user for credentials if the file does not exist, and writes it.
type PromptingAuthLoader struct{ reader io.Reader }

// NewPromptingAuthLoader returns a loader that reads the user's name from reader, and the password from the terminal.
func NewPromptingAuthLoader(reader io.Reader) *PromptingAuthLoader {
	return &PromptingAuthLoader{reader}
}

// LoadAuth returns the credentials in a file, which is written with mode 0600 if it does not exist.
func (a *PromptingAuthLoader) LoadAuth(path string) (*auth.Info, error) {
	info, err := auth.LoadFromFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	if info, err = a.Prompt(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(info)
	if err != nil {
		return info, err
	}
	return info, os.WriteFile(path, data, 0o600)
}

// Prompt asks the user for a name and a password.
func (a *PromptingAuthLoader) Prompt() (*auth.Info, error) {
	info := &auth.Info{}
	fmt.Print("Please enter Username: ")
	if _, err := fmt.Fscan(a.reader, &info.User); err != nil {
		return nil, err
	}
	fmt.Print("Please enter Password: ")
	terminal := int(os.Stdin.Fd())
	if !term.IsTerminal(terminal) {
		return nil, errors.New("error reading input for Password")
	}
	password, err := term.ReadPassword(terminal)
	if err != nil {
		return nil, err
	}
	info.Password = string(password)
	return info, nil
}
