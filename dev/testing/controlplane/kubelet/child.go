package kubelet

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	securejoin "github.com/cyphar/filepath-securejoin"
	"golang.org/x/sys/unix"
	"k8s.io/mount-utils"
)

// The kubelet starts itself under this argument, in fresh namespaces, to become a container's process.
const childCommand = "become-container"

// containerSpec is what the child reads from file descriptor 3.
type containerSpec struct {
	Scratch  string // an empty folder to mount on
	Layer    string // a folder to copy over the host's files, if any
	Rootfs   string // a folder with all files of the image; nothing of the host's is seen then but /dev
	Mounts   []bind // what the image and the volumes bring
	Netns    string // the file of the pod's network namespace, if it has one
	Hostname string
	Args     []string // the program
	Env      []string
	Dir      string
	UID, GID int
	Groups   []int
	ReadOnly bool
}

type bind struct {
	Source, Target string
	ReadOnly       bool
}

// private are folders of the machine that no image would hold: a container sees its own instead.
var private = map[string]os.FileMode{"/home": 0o755, "/root": 0o700, "/run": 0o755, "/tmp": os.ModeSticky | 0o777}

func runChild() int {
	runtime.LockOSThread() // the network namespace is the thread's
	var spec containerSpec
	pipe := os.NewFile(3, "spec")
	if err := json.NewDecoder(pipe).Decode(&spec); err != nil {
		fmt.Fprintln(os.Stderr, "process-kubelet:", err)
		return 128
	}
	pipe.Close()
	err := spec.become()
	fmt.Fprintln(os.Stderr, "process-kubelet:", err)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return 127
	}
	return 128
}

// become builds the container's file tree, enters it and turns into its program.
// The tree is an overlay over the host's, or over an image's: what the container writes is its own and goes with it.
func (s *containerSpec) become() error {
	if s.Netns != "" {
		if err := enterNetns(s.Netns); err != nil {
			return err
		}
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	host, err := mount.ParseMountInfo("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", s.Scratch, "tmpfs", 0, ""); err != nil {
		return err
	}
	root := filepath.Join(s.Scratch, "root")
	for _, dir := range []string{"root", "upper", "work"} {
		if err := os.Mkdir(filepath.Join(s.Scratch, dir), 0o755); err != nil {
			return err
		}
	}
	if s.Layer != "" { // a copy, for it may lie in the tree that it is to cover
		if err := os.CopyFS(filepath.Join(s.Scratch, "upper"), os.DirFS(s.Layer)); err != nil {
			return err
		}
	}
	lower, private := "/", private
	if s.Rootfs != "" {
		lower, private = s.Rootfs, nil
	}
	for path, mode := range private {
		dir := filepath.Join(s.Scratch, "upper", path)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := errors.Join(os.Chmod(dir, mode), unix.Setxattr(dir, "trusted.overlay.opaque", []byte("y"), 0)); err != nil {
			return err
		}
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%s/work", lower, s.Scratch, s.Scratch)
	if err := unix.Mount("overlay", root, "overlay", 0, options); err != nil {
		return fmt.Errorf("overlay (%s): %w", options, err)
	}
	// what is mounted on the host's tree, the outermost of each
	points := append(slices.Collect(maps.Keys(private)), "/proc")
	slices.SortFunc(host, func(a, b mount.MountInfo) int { return strings.Compare(a.MountPoint, b.MountPoint) })
	for _, m := range host {
		if s.Rootfs != "" && m.MountPoint != "/dev" && !strings.HasPrefix(m.MountPoint, "/dev/") {
			continue // an image has nothing else of the host
		}
		inside := func(point string) bool { return m.MountPoint == point || strings.HasPrefix(m.MountPoint, point+"/") }
		if m.MountPoint == "/" || slices.ContainsFunc(points, inside) {
			continue
		}
		points = append(points, m.MountPoint)
		if err := bindMount(root, bind{Source: m.MountPoint, Target: m.MountPoint}); err != nil {
			return err
		}
	}
	if err := unix.Mount("proc", filepath.Join(root, "proc"), "proc", 0, ""); err != nil {
		return err
	}
	for _, m := range s.Mounts {
		if err := bindMount(root, m); err != nil {
			return err
		}
	}
	if s.Dir == "" {
		s.Dir = "/"
	}
	if dir, err := securejoin.SecureJoin(root, s.Dir); err != nil {
		return err
	} else if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if s.ReadOnly {
		if err := unix.Mount("", root, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
			return err
		}
	}
	if err := unix.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	if err := unix.Sethostname([]byte(s.Hostname)); err != nil {
		return err
	}
	if err := s.goHome(); err != nil {
		return err
	}
	if s.UID != 0 || s.GID != 0 || len(s.Groups) > 0 {
		if err := errors.Join(syscall.Setgroups(s.Groups), syscall.Setresgid(s.GID, s.GID, s.GID), syscall.Setresuid(s.UID, s.UID, s.UID)); err != nil {
			return err
		}
	}
	if err := unix.Chdir(s.Dir); err != nil {
		return err
	}
	os.Clearenv()
	for _, e := range s.Env {
		name, value, _ := strings.Cut(e, "=")
		os.Setenv(name, value)
	}
	program, err := exec.LookPath(s.Args[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return err
	}
	return unix.Exec(program, s.Args, s.Env)
}

// goHome sets HOME as container runtimes do, by the container's own list of users, and makes that folder.
func (s *containerSpec) goHome() error {
	if slices.ContainsFunc(s.Env, func(e string) bool { return strings.HasPrefix(e, "HOME=") }) {
		return nil
	}
	home := "/"
	users, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(users)) {
		if fields := strings.Split(strings.TrimSpace(line), ":"); len(fields) == 7 && fields[2] == strconv.Itoa(s.UID) {
			home = fields[5]
			break
		}
	}
	s.Env = append(s.Env, "HOME="+home)
	if err := os.Mkdir(home, 0o750); err != nil { // there, or in a tree that cannot be written
		return nil
	}
	return os.Chown(home, s.UID, s.GID)
}

// bindMount mounts a file or folder at a path of the tree, which it makes where it is missing.
func bindMount(root string, m bind) error {
	target, err := securejoin.SecureJoin(root, m.Target)
	if err != nil {
		return err
	}
	info, err := os.Stat(m.Source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		err = os.MkdirAll(target, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		var f *os.File
		if f, err = os.OpenFile(target, os.O_CREATE, 0o644); err == nil {
			f.Close()
		}
	}
	if err != nil {
		return err
	}
	if err := unix.Mount(m.Source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount %s at %s: %w", m.Source, m.Target, err)
	}
	if m.ReadOnly {
		return unix.Mount("", target, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, "")
	}
	return nil
}
