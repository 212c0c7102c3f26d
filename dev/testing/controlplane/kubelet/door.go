package kubelet

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"

	"k8s.io/klog/v2"
)

// openDoor lets those outside the node's network reach a server in it, by a Unix socket: "socket=host:port".
func openDoor(ctx context.Context, door string) error {
	path, address, found := strings.Cut(door, "=")
	if !found {
		return errors.New("--door is to be socket=host:port, not " + door)
	}
	os.Remove(path)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return err
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				klog.ErrorS(err, "A door is closed", "door", door)
				return
			}
			go func() {
				defer client.Close()
				server, err := net.Dial("tcp", address)
				if err != nil {
					return
				}
				splice(client.(*net.UnixConn), server)
			}()
		}
	}()
	return nil
}
