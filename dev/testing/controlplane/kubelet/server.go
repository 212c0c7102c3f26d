package kubelet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	remote "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/apiserver/pkg/util/flushwriter"
	"k8s.io/client-go/tools/remotecommand"
	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-client/pkg/logs"
	"k8s.io/klog/v2"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
	streaming "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // the conversion of query parameters
	utilexec "k8s.io/utils/exec"
)

const (
	streamIdle     = 4 * time.Hour
	streamCreation = 30 * time.Second
)

// handler is the part of the kubelet API that the API server asks for.
func (k *Kubelet) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, "ok") })
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", k.withContainer(serveLogs))
	for _, path := range []string{"/exec", "/attach"} {
		mux.HandleFunc(path+"/{namespace}/{pod}/{container}", k.withContainer(stream))
		mux.HandleFunc(path+"/{namespace}/{pod}/{uid}/{container}", k.withContainer(stream))
	}
	forward := func(rw http.ResponseWriter, r *http.Request) {
		w := k.find(r.PathValue("namespace"), r.PathValue("pod"))
		if w == nil {
			http.Error(rw, "no such pod", http.StatusNotFound)
			return
		}
		options, err := portforward.NewV4Options(r)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(rw, r, w, w.pod.Load().Name, w.pod.Load().UID, options, streamIdle, streamCreation, portforward.SupportedProtocols)
	}
	mux.HandleFunc("/portForward/{namespace}/{pod}", forward)
	mux.HandleFunc("/portForward/{namespace}/{pod}/{uid}", forward)
	return mux
}

func (k *Kubelet) withContainer(handle func(*process, http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if w := k.find(r.PathValue("namespace"), r.PathValue("pod")); w != nil {
			for _, p := range w.containers {
				if p.spec.Name == r.PathValue("container") {
					handle(p, rw, r)
					return
				}
			}
		}
		http.Error(rw, "no such container", http.StatusNotFound)
	}
}

func serveLogs(p *process, rw http.ResponseWriter, r *http.Request) {
	var options v1.PodLogOptions
	if err := legacyscheme.ParameterCodec.DecodeParameters(r.URL.Query(), v1.SchemeGroupVersion, &options); err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	p.w.mu.Lock()
	run := p.status.RestartCount
	p.w.mu.Unlock()
	if options.Previous {
		run--
	}
	path := p.logPath(run)
	if _, err := os.Stat(path); err != nil {
		if options.Previous {
			http.Error(rw, fmt.Sprintf("previous terminated container %q not found", p.spec.Name), http.StatusBadRequest)
		}
		return // nothing has run: no output
	}
	out := flushwriter.Wrap(rw)
	if err := logs.ReadLogs(r.Context(), nil, path, p.spec.Name, logs.NewLogOptions(&options, time.Now()), logRuntime{p: p, run: run}, out, out); err != nil && r.Context().Err() == nil {
		klog.ErrorS(err, "Could not read logs", "path", path)
	}
}

// logRuntime tells the reader of a log whether more may come.
type logRuntime struct {
	internalapi.RuntimeService
	p   *process
	run int32
}

func (l logRuntime) ContainerStatus(context.Context, string, bool) (*runtimeapi.ContainerStatusResponse, error) {
	l.p.w.mu.Lock()
	defer l.p.w.mu.Unlock()
	state := runtimeapi.ContainerState_CONTAINER_EXITED
	if l.p.pid != 0 && l.p.status.RestartCount == l.run {
		state = runtimeapi.ContainerState_CONTAINER_RUNNING
	}
	return &runtimeapi.ContainerStatusResponse{Status: &runtimeapi.ContainerStatus{State: state}}, nil
}

// stream serves an exec or attach request.
func stream(p *process, rw http.ResponseWriter, r *http.Request) {
	options, err := streaming.NewOptions(r)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	pod := p.w.pod.Load()
	if strings.HasPrefix(r.URL.Path, "/attach/") {
		streaming.ServeAttach(rw, r, p, pod.Name, pod.UID, p.spec.Name, options, streamIdle, streamCreation, remote.SupportedStreamingProtocols)
	} else {
		streaming.ServeExec(rw, r, p, pod.Name, pod.UID, p.spec.Name, r.URL.Query()["command"], options, streamIdle, streamCreation, remote.SupportedStreamingProtocols)
	}
}

// ExecInContainer runs a program in the container with the caller's streams.
func (p *process) ExecInContainer(ctx context.Context, _ string, _ types.UID, _ string, args []string, in io.Reader, out, errs io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	cmd, err := p.command(ctx, args)
	if err != nil {
		return err
	}
	if tty {
		err = runOnTerminal(cmd, in, out, resize)
	} else {
		if in != nil {
			pipe, failed := cmd.StdinPipe() // Wait must not wait for the caller's end of input
			if failed != nil {
				return failed
			}
			go func() {
				io.Copy(pipe, in)
				pipe.Close()
			}()
		}
		if out != nil {
			cmd.Stdout = out
		}
		if errs != nil {
			cmd.Stderr = errs
		}
		err = cmd.Run()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &utilexec.CodeExitError{Err: err, Code: exit.ExitCode()}
	}
	return err
}

// runOnTerminal runs a program on a new pseudo-terminal.
func runOnTerminal(cmd *exec.Cmd, in io.Reader, out io.Writer, resize <-chan remotecommand.TerminalSize) error {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	defer master.Close()
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		return err
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return err
	}
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.Env = append(cmd.Env, "TERM=xterm")
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty = true, true
	err = cmd.Start()
	slave.Close()
	if err != nil {
		return err
	}
	go func() {
		for size := range resize {
			unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: size.Width, Row: size.Height})
		}
	}()
	if in != nil {
		go io.Copy(master, in)
	}
	io.Copy(out, master)
	return cmd.Wait()
}

// AttachContainer follows what the container says; its standard input is closed and stays so.
func (p *process) AttachContainer(ctx context.Context, _ string, _ types.UID, _ string, _ io.Reader, out, errs io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize) error {
	if out != nil {
		defer p.output.attach("stdout", out)()
	}
	if errs != nil {
		defer p.output.attach("stderr", errs)()
	}
	for sleep(ctx, 200*time.Millisecond) {
		p.w.mu.Lock()
		running := p.status.State.Running != nil
		p.w.mu.Unlock()
		if !running {
			break
		}
	}
	return nil
}

// PortForward connects a stream to a port of the pod's loopback.
func (w *worker) PortForward(_ context.Context, _ string, _ types.UID, port int32, stream io.ReadWriteCloser) error {
	conn, err := dialIn(w.netnsFile(), strconv.Itoa(int(port)))
	if err != nil {
		return err
	}
	splice(stream, conn)
	return nil
}
