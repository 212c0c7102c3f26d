package kubelet

import (
	"io/fs"
	"os"
	"path/filepath"
)

// own gives a volume to the group that the pod asks for by fsGroup, with at least these rights.
func (w *worker) own(dir string, rights os.FileMode) error {
	security := w.pod.Load().Spec.SecurityContext
	if security == nil || security.FSGroup == nil {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := os.Lchown(path, -1, int(*security.FSGroup)); err != nil || entry.Type() == fs.ModeSymlink {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode() | rights
		if entry.IsDir() {
			mode |= os.ModeSetgid | 0o110
		}
		return os.Chmod(path, mode)
	})
}
