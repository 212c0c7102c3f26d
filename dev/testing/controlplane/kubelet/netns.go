package kubelet

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Each pod has a network namespace of its own, with one end of a wire in it; the other end is in the
// node's bridge. A pod's loopback and its ports are its own, as in any cluster.

const (
	netnsFolder = "/run/netns"
	bridgeName  = "pods"
)

// openBridge makes the bridge, which has the node's address, and lets this machine take every ClusterIP.
func openBridge(address string, pods netip.Prefix, services string) error {
	if _, err := net.InterfaceByName(bridgeName); err == nil { // from a kubelet that ran before this one
		return nil
	}
	return ip("",
		"link set lo up",
		"link add "+bridgeName+" type bridge",
		"address add "+address+"/"+strconv.Itoa(pods.Bits())+" dev "+bridgeName,
		"link set "+bridgeName+" up",
		"route add local "+services+" dev lo",
	)
}

// netns is the name of the pod's network namespace and of its wire; it has none where it shares the node's.
func (w *worker) netns() string {
	if w.pod.Load().Spec.HostNetwork {
		return ""
	}
	return "pod" + w.ip
}

// netnsFile is where the pod's network namespace can be entered, "" where it shares the node's.
func (w *worker) netnsFile() string {
	if name := w.netns(); name != "" {
		return filepath.Join(netnsFolder, name)
	}
	return ""
}

// connect makes the pod's network.
func (w *worker) connect() error {
	name := w.netns()
	if name == "" {
		return nil
	}
	if err := ip("",
		"netns add "+name,
		"link add "+name+" type veth peer name eth0 netns "+name,
		"link set "+name+" master "+bridgeName+" up",
	); err != nil {
		return err
	}
	return ip(name,
		"link set lo up",
		"address add "+w.ip+"/"+strconv.Itoa(w.k.ips.Bits())+" dev eth0",
		"link set eth0 up",
		"route add default via "+w.k.address,
	)
}

// writeResolvConf names a server that is not there, so that a name outside the hosts file is unknown at once: the
// machine's own servers cannot be reached from the pod.
func (w *worker) writeResolvConf() error {
	return os.WriteFile(filepath.Join(w.dir, "resolv.conf"), []byte("nameserver "+w.k.address+"\noptions attempts:1\n"), 0o644)
}

// disconnect takes the pod's network away.
func (w *worker) disconnect() error {
	if name := w.netns(); name != "" {
		return ip("", "netns delete "+name)
	}
	return nil
}

// ip has iproute2 do something in a network namespace, or in the node's.
func ip(netns string, commands ...string) error {
	args := []string{"-batch", "-"}
	if netns != "" {
		args = append([]string{"-n", netns}, args...)
	}
	cmd := exec.Command("ip", args...)
	cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("ip: %w: %s", err, strings.TrimSpace(string(output)))
	}
	return nil
}

// dialIn connects to a port of the loopback of a network namespace, or of the node's.
func dialIn(file, port string) (net.Conn, error) {
	if file != "" {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		own, err := os.Open("/proc/thread-self/ns/net")
		if err != nil {
			return nil, err
		}
		defer own.Close()
		if err := enterNetns(file); err != nil {
			return nil, err
		}
		// The thread is not left to die where it cannot come back: processes that it started would die with it.
		defer func() {
			if err := unix.Setns(int(own.Fd()), unix.CLONE_NEWNET); err != nil {
				panic(err)
			}
		}()
	}
	conn, err := net.Dial("tcp4", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return net.Dial("tcp6", net.JoinHostPort("::1", port))
	}
	return conn, nil
}

// enterNetns moves the current thread into a network namespace.
func enterNetns(file string) error {
	target, err := os.Open(file)
	if err != nil {
		return err
	}
	defer target.Close()
	return unix.Setns(int(target.Fd()), unix.CLONE_NEWNET)
}
