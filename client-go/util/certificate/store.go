package certificate

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"k8s.io/klog/v2"

	"k8s.io/client-go/util/cert"
)

// Store keeps a certificate with its key.
type Store interface {
	// Current returns the certificate. A *[NoCertKeyError] reports that there is none.
	Current() (*tls.Certificate, error)
	// Update replaces the certificate, by PEM data, and returns it.
	Update(cert, key []byte) (*tls.Certificate, error)
}

// NoCertKeyError reports that a [Store] has no certificate.
type NoCertKeyError string

func (e *NoCertKeyError) Error() string { return string(*e) }

// FileStore is a [Store] of files.
type FileStore interface {
	Store
	// CurrentPath returns the path of the file with the current certificate and its key. It does not exist before the
	// first update.
	CurrentPath() string
}

// NewFileStore is [NewFileStoreWithLogger] with klog's logger.
func NewFileStore(pairNamePrefix, certDirectory, keyDirectory, certFile, keyFile string) (FileStore, error) {
	return NewFileStoreWithLogger(klog.Background(), pairNamePrefix, certDirectory, keyDirectory, certFile, keyFile)
}

// NewFileStoreWithLogger returns a store whose current certificate is in the first of these files that exist:
//
//   - <certDirectory>/<pairNamePrefix>-current.pem, with both certificate and key,
//   - certFile and keyFile,
//   - <certDirectory>/<pairNamePrefix>.crt and <keyDirectory>/<pairNamePrefix>.key.
//
// An update writes a file to certDirectory and makes the first path a symbolic link to it. One that was interrupted is
// completed here.
func NewFileStoreWithLogger(logger klog.Logger, pairNamePrefix, certDirectory, keyDirectory, certFile, keyFile string) (FileStore, error) {
	s := &fileStore{logger, pairNamePrefix, certDirectory, keyDirectory, certFile, keyFile}
	if err := s.recover(); err != nil {
		return nil, err
	}
	return s, nil
}

type fileStore struct {
	logger                      klog.Logger
	pairNamePrefix              string
	certDirectory, keyDirectory string
	certFile, keyFile           string
}

// path returns the path of a file with certificate and key.
func (s *fileStore) path(name string) string {
	return filepath.Join(s.certDirectory, s.pairNamePrefix+"-"+name+".pem")
}

// CurrentPath returns the path of the link to the current certificate.
func (s *fileStore) CurrentPath() string { return s.path("current") }

// updatedPath returns the path of the link that is going to be the current one.
func (s *fileStore) updatedPath() string { return s.path("updated") }

// recover completes an update that ended before the link was renamed.
func (s *fileStore) recover() error {
	if hasCurrent, err := exists(s.CurrentPath()); hasCurrent || err != nil {
		return err
	}
	if hasUpdated, err := isLink(s.updatedPath()); !hasUpdated || err != nil {
		return err
	}
	return os.Rename(s.updatedPath(), s.CurrentPath())
}

// Current returns the certificate in the first files that exist.
func (s *fileStore) Current() (*tls.Certificate, error) {
	base := filepath.Join(s.certDirectory, s.pairNamePrefix)
	candidates := []struct{ cert, key string }{
		{s.CurrentPath(), s.CurrentPath()},
		{s.certFile, s.keyFile},
		{base + ".crt", filepath.Join(s.keyDirectory, s.pairNamePrefix+".key")},
	}
	for _, c := range candidates {
		hasCert, err := exists(c.cert)
		if err != nil {
			return nil, err
		}
		hasKey, err := exists(c.key)
		if err != nil {
			return nil, err
		}
		if hasCert && hasKey {
			s.logger.Info("Loading cert/key pair", "certFile", c.cert, "keyFile", c.key)
			return load(c.cert, c.key)
		}
	}
	none := NoCertKeyError(fmt.Sprintf("no cert/key files read at %q", candidates))
	return nil, &none
}

// Update writes a file and links to it.
func (s *fileStore) Update(certData, keyData []byte) (*tls.Certificate, error) {
	certs, err := cert.ParseCertsPEM(certData)
	if err != nil {
		return nil, fmt.Errorf("invalid certificate data: %w", err)
	}
	key, _ := pem.Decode(keyData)
	if key == nil {
		return nil, errors.New("invalid key data")
	}
	text, err := cert.EncodeCertificates(certs...)
	if err != nil {
		return nil, err
	}
	text = append(text, pem.EncodeToMemory(key)...)
	if err = os.MkdirAll(s.certDirectory, 0o755); err != nil {
		return nil, fmt.Errorf("could not create the directory of certificates: %w", err)
	}
	path := s.path(time.Now().Format("2006-01-02-15-04-05"))
	if err = write(path, text); err != nil {
		return nil, fmt.Errorf("could not write the certificate: %w", err)
	}
	pair, err := load(path, path)
	if err != nil {
		return nil, err
	}
	return pair, s.link(path)
}

// write writes a file, which has reached the disk when it returns.
func write(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = bytes.NewReader(text).WriteTo(f)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// link makes a file the current one. Files in place of links are errors.
func (s *fileStore) link(path string) error {
	if _, err := isLink(s.CurrentPath()); err != nil {
		return err
	}
	hasUpdated, err := isLink(s.updatedPath())
	if err != nil {
		return err
	}
	if hasUpdated {
		if err = os.Remove(s.updatedPath()); err != nil {
			return err
		}
	}
	// The link must not depend on the working directory.
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if err := os.Symlink(path, s.updatedPath()); err != nil {
		return err
	}
	return os.Rename(s.updatedPath(), s.CurrentPath())
}

// load reads a certificate and its key.
func load(certPath, keyPath string) (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(certPath, keyPath)
	if err != nil {
		return nil, fmt.Errorf("could not load the cert/key pair in %q and %q: %w", certPath, keyPath, err)
	}
	return &pair, nil
}

// exists reports whether a file exists. A link to nothing does not.
func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// isLink reports whether there is a symbolic link at a path. Anything else there is an error.
func isLink(path string) (bool, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case info.Mode()&os.ModeSymlink == 0:
		return false, fmt.Errorf("expected %q to be a symlink but it is a file", path)
	default:
		return true, nil
	}
}
