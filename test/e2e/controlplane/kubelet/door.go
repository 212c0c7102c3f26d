package kubelet

import (
	"context"
	"net"
	"os"

	"k8s.io/klog/v2"
)

// openDoor lets those outside the node's network reach the API server, by a socket in the file system.
func (k *Kubelet) openDoor(ctx context.Context, path string) error {
	os.Remove(path)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return err
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				klog.ErrorS(err, "The way to the API server is closed")
				return
			}
			go func() {
				defer client.Close()
				server, err := net.Dial("tcp", net.JoinHostPort(k.apiHost, k.apiPort))
				if err != nil {
					return
				}
				splice(client.(*net.UnixConn), server)
			}()
		}
	}()
	return nil
}
