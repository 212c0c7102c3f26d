package kubelet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	securejoin "github.com/cyphar/filepath-securejoin"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/probe"
	grpcprobe "k8s.io/kubernetes/pkg/probe/grpc"
	httpprobe "k8s.io/kubernetes/pkg/probe/http"
	tcpprobe "k8s.io/kubernetes/pkg/probe/tcp"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// process is one container of a pod, over all its restarts.
type process struct {
	w      *worker
	spec   *v1.Container
	init   bool
	output *output
	ctx    context.Context // ends when the container is to stop for good
	cancel context.CancelFunc

	// guarded by w.mu
	status v1.ContainerStatus
	pid    int // 0 while nothing runs
	env    []string
}

// settle is how long a container without a readiness probe is not called ready: a kubelet with a
// container runtime takes about as long to see that it runs, and callers have come to count on it.
const settle = 2 * time.Second

func newProcess(w *worker, c *v1.Container, init bool) *process {
	p := &process{w: w, spec: c, init: init, output: &output{}}
	p.ctx, p.cancel = context.WithCancel(w.ctx)
	reason := "ContainerCreating"
	if len(w.pod.Load().Spec.InitContainers) > 0 {
		reason = "PodInitializing"
	}
	no := false
	p.status = v1.ContainerStatus{Name: c.Name, Image: c.Image, ImageID: c.Image, Started: &no, State: v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: reason}}}
	return p
}

func (p *process) isStarted() bool {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	return *p.status.Started
}

func (p *process) stop() {
	p.w.mu.Lock()
	if p.w.deadline.IsZero() {
		p.w.deadline = time.Now().Add(time.Duration(*p.w.pod.Load().Spec.TerminationGracePeriodSeconds) * time.Second)
	}
	p.w.mu.Unlock()
	p.cancel()
}

func (p *process) waiting(reason, message string) {
	p.w.update(func() {
		p.status.State = v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: reason, Message: message}}
	})
}

// run keeps the container going as the policy says and returns its last exit status.
func (p *process) run(policy v1.RestartPolicy) int {
	var backoff time.Duration
	for {
		begin := time.Now()
		code := p.once()
		if p.ctx.Err() != nil || policy == v1.RestartPolicyNever || policy == v1.RestartPolicyOnFailure && code == 0 {
			return code
		}
		if time.Since(begin) > 10*time.Minute {
			backoff = 0
		}
		if backoff > 0 {
			p.waiting("CrashLoopBackOff", fmt.Sprintf("back-off %s restarting failed container", backoff))
			if !sleep(p.ctx, backoff) {
				return code
			}
		}
		backoff = min(max(2*backoff, 10*time.Second), 5*time.Minute)
		p.w.update(func() { p.status.RestartCount++ })
	}
}

// once runs the container one time.
func (p *process) once() int {
	var image *Image
	var env map[string]string
	for {
		reason, err := "", error(nil)
		if image, err = p.w.k.image(p.spec.Image); err != nil {
			reason = "ErrImagePull"
		} else if env, err = p.w.environment(p.ctx, p.spec, image); err != nil {
			reason = "CreateContainerConfigError"
		}
		if err == nil {
			break
		}
		p.w.k.events.Event(p.w.pod.Load(), v1.EventTypeWarning, "Failed", err.Error())
		p.waiting(reason, err.Error())
		if !sleep(p.ctx, 5*time.Second) {
			return 128
		}
	}
	if image.Pause {
		if p.started(0, nil); !p.init {
			p.w.update(func() { p.status.Ready = true })
			<-p.ctx.Done()
		}
		return p.ended(nil)
	}
	cmd, err := p.start(image, env)
	if err != nil {
		return p.ended(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	alive, giveUp := context.WithCancel(p.ctx) // liveness probes give up on it
	defer giveUp()
	go p.probe(alive, giveUp)
	select {
	case err = <-done:
		return p.ended(err)
	case <-alive.Done():
	}
	cmd.Process.Signal(syscall.SIGTERM)
	patience := time.Now().Add(time.Duration(*p.w.pod.Load().Spec.TerminationGracePeriodSeconds) * time.Second)
	for {
		select {
		case err = <-done:
			return p.ended(err)
		case <-time.After(50 * time.Millisecond):
		}
		p.w.mu.Lock()
		over := time.Now().After(patience) || !p.w.deadline.IsZero() && time.Now().After(p.w.deadline)
		p.w.mu.Unlock()
		if over {
			cmd.Process.Kill()
			patience = patience.Add(time.Hour)
		}
	}
}

// start turns the container's spec into a process in namespaces of its own.
func (p *process) start(image *Image, env map[string]string) (*exec.Cmd, error) {
	pod := p.w.pod.Load()
	mapping := expansion.MappingFuncFor(env)
	expand := func(list []string, with func(string) string) (result []string) {
		for _, s := range list {
			result = append(result, expansion.Expand(s, with))
		}
		return result
	}
	own := expansion.MappingFuncFor(env, map[string]string{"POD_IP": p.w.ip})
	command, args := expand(image.Command, own), expand(image.Args, own)
	if len(p.spec.Command) > 0 {
		command, args = expand(p.spec.Command, mapping), nil
	}
	if len(p.spec.Args) > 0 {
		args = expand(p.spec.Args, mapping)
	}
	spec := containerSpec{
		Layer: image.Root, Rootfs: image.Rootfs, Hostname: p.w.hostname(), Args: append(command, args...), Dir: p.spec.WorkingDir,
		Scratch: filepath.Join(p.w.dir, "scratch", p.spec.Name),
		Mounts: []bind{
			{Source: filepath.Join(p.w.dir, "hosts"), Target: "/etc/hosts"},
			{Source: filepath.Join(p.w.dir, "resolv.conf"), Target: "/etc/resolv.conf"},
		},
		Netns: p.w.netnsFile(),
	}
	for target, source := range image.Mounts {
		spec.Mounts = append(spec.Mounts, bind{Source: source, Target: target, ReadOnly: true})
	}
	if len(spec.Args) == 0 {
		return nil, errors.New("nothing to run: neither the image nor the container has a command")
	}
	if spec.Dir == "" {
		spec.Dir = image.Dir
	}
	for _, m := range p.spec.VolumeMounts {
		path := m.SubPath
		if m.SubPathExpr != "" {
			path = expansion.Expand(m.SubPathExpr, mapping)
		}
		source, err := securejoin.SecureJoin(p.w.volumePath(m.Name), path)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(source); os.IsNotExist(err) && path != "" {
			if err := os.MkdirAll(source, 0o777); err != nil {
				return nil, err
			}
		}
		spec.Mounts = append(spec.Mounts, bind{Source: source, Target: m.MountPath, ReadOnly: m.ReadOnly})
	}
	slices.SortStableFunc(spec.Mounts, func(a, b bind) int { return len(a.Target) - len(b.Target) })
	setID(&spec.UID, image.User)
	setID(&spec.GID, image.User)
	if s := pod.Spec.SecurityContext; s != nil {
		setID(&spec.UID, s.RunAsUser)
		setID(&spec.GID, s.RunAsGroup)
		for _, group := range s.SupplementalGroups {
			spec.Groups = append(spec.Groups, int(group))
		}
		if s.FSGroup != nil {
			spec.Groups = append(spec.Groups, int(*s.FSGroup))
		}
	}
	if s := p.spec.SecurityContext; s != nil {
		setID(&spec.UID, s.RunAsUser)
		setID(&spec.GID, s.RunAsGroup)
		spec.ReadOnly = s.ReadOnlyRootFilesystem != nil && *s.ReadOnlyRootFilesystem
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		spec.Env = append(spec.Env, name+"="+env[name])
	}
	if err := os.MkdirAll(spec.Scratch, 0o755); err != nil {
		return nil, err
	}
	p.w.mu.Lock()
	log := p.logPath(p.status.RestartCount)
	p.w.mu.Unlock()
	if err := p.output.open(log); err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	cmd := exec.Command("/proc/self/exe", childCommand)
	cmd.Args[0] = filepath.Base(os.Args[0])
	cmd.ExtraFiles = []*os.File{read}
	cmd.Stdout, cmd.Stderr = p.output.stream("stdout"), p.output.stream("stderr")
	cmd.WaitDelay = 2 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL, Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC}
	if err := cmd.Start(); err != nil {
		write.Close()
		return nil, err
	}
	err = json.NewEncoder(write).Encode(spec)
	write.Close()
	p.started(cmd.Process.Pid, spec.Env)
	return cmd, err
}

func setID(id *int, value *int64) {
	if value != nil {
		*id = int(*value)
	}
}

func (p *process) logPath(run int32) string {
	pod := p.w.pod.Load()
	return filepath.Join(p.w.k.dir, "logs", pod.Namespace+"_"+pod.Name+"_"+string(pod.UID), p.spec.Name, strconv.Itoa(int(run))+".log")
}

func (p *process) started(pid int, env []string) {
	p.w.k.events.Event(p.w.pod.Load(), v1.EventTypeNormal, "Started", "Started container "+p.spec.Name)
	p.w.update(func() {
		p.pid, p.env = pid, env
		yes := p.spec.StartupProbe == nil || pid == 0
		p.status.Started = &yes
		p.status.ContainerID = fmt.Sprintf("process://%s/%s/%d", p.w.pod.Load().UID, p.spec.Name, p.status.RestartCount)
		p.status.State = v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: metav1.Now()}}
	})
}

// ended records how a run ended and returns its exit status.
func (p *process) ended(err error) int {
	code, signal, reason, message := 0, 0, "Completed", ""
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		reason = "Error"
		if code = exit.ExitCode(); code < 0 {
			signal = int(exit.Sys().(syscall.WaitStatus).Signal())
			code = 128 + signal
		}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		code, reason, message = 128, "StartError", err.Error()
	}
	p.output.close()
	p.w.update(func() {
		t := &v1.ContainerStateTerminated{ExitCode: int32(code), Signal: int32(signal), Reason: reason, Message: message, FinishedAt: metav1.Now(), ContainerID: p.status.ContainerID}
		if p.status.State.Running != nil {
			t.StartedAt = p.status.State.Running.StartedAt
		}
		no := false
		p.pid, p.status.Ready, p.status.Started = 0, p.init && code == 0, &no
		p.status.State = v1.ContainerState{Terminated: t}
		p.status.LastTerminationState = p.status.State
	})
	return code
}

// command is a program to run inside the running container.
func (p *process) command(ctx context.Context, args []string) (*exec.Cmd, error) {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	if p.pid == 0 {
		return nil, fmt.Errorf("no process of container %q runs", p.spec.Name)
	}
	cmd := exec.CommandContext(ctx, "nsenter", append([]string{"-t", strconv.Itoa(p.pid), "-m", "-n", "-u", "-i", "-p", "-w", "--"}, args...)...)
	cmd.Env = p.env
	cmd.WaitDelay = 2 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd, nil
}

// probe runs the container's probes until the context ends; giveUp is for the ones that say it is dead.
func (p *process) probe(ctx context.Context, giveUp func()) {
	if probe := p.spec.StartupProbe; probe != nil {
		good := false
		started, stop := context.WithCancel(ctx)
		p.watch(started, probe, func(ok bool) {
			if good = ok; !ok {
				giveUp()
			}
			stop()
		})
		if !good {
			return
		}
		yes := true
		p.w.update(func() { p.status.Started = &yes })
	}
	if probe := p.spec.LivenessProbe; probe != nil {
		go p.watch(ctx, probe, func(ok bool) {
			if !ok && ctx.Err() == nil {
				p.w.k.events.Event(p.w.pod.Load(), v1.EventTypeWarning, "Unhealthy", "Liveness probe failed: container "+p.spec.Name)
				giveUp()
			}
		})
	}
	set := func(ok bool) {
		p.w.update(func() { p.status.Ready = ok && p.pid != 0 })
	}
	if probe := p.spec.ReadinessProbe; probe != nil {
		p.watch(ctx, probe, set)
	} else if sleep(ctx, settle) {
		set(true)
	}
}

// watch calls back whenever as many probes in a row as asked for agree on something new.
// Readiness is looked at sooner than Kubernetes would: no test need wait for it.
func (p *process) watch(ctx context.Context, probe *v1.Probe, say func(ok bool)) {
	delay, most := time.Duration(probe.InitialDelaySeconds)*time.Second, p.w.k.maxDelay
	if probe == p.spec.ReadinessProbe && most > 0 {
		delay = min(delay, most)
	}
	said, good, bad := "", int32(0), int32(0)
	for sleep(ctx, delay) {
		if p.try(ctx, probe) {
			good, bad = good+1, 0
		} else {
			good, bad = 0, bad+1
		}
		if ctx.Err() != nil {
			return
		}
		if good >= probe.SuccessThreshold && said != "good" {
			said = "good"
			say(true)
		} else if bad >= probe.FailureThreshold && said != "bad" {
			said = "bad"
			say(false)
		}
		delay = time.Duration(probe.PeriodSeconds) * time.Second
		if probe == p.spec.ReadinessProbe && said != "good" {
			delay = min(delay, time.Second)
		}
	}
}

func (p *process) try(ctx context.Context, action *v1.Probe) bool {
	timeout := time.Duration(action.TimeoutSeconds) * time.Second
	result, err := probe.Failure, error(nil)
	switch {
	case action.HTTPGet != nil:
		request, failed := httpprobe.NewRequestForHTTPGetAction(action.HTTPGet, p.spec, p.w.ip, "probe")
		if failed != nil {
			return false
		}
		result, _, err = httpprobe.New(false).Probe(request, timeout)
	case action.TCPSocket != nil:
		port, failed := probe.ResolveContainerPort(action.TCPSocket.Port, p.spec)
		if failed != nil {
			return false
		}
		host := action.TCPSocket.Host
		if host == "" {
			host = p.w.ip
		}
		result, _, err = tcpprobe.New().Probe(host, port, timeout)
	case action.GRPC != nil:
		service := ""
		if action.GRPC.Service != nil {
			service = *action.GRPC.Service
		}
		result, _, err = grpcprobe.New().Probe(p.w.ip, service, int(action.GRPC.Port), timeout)
	case action.Exec != nil:
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		cmd, failed := p.command(ctx, action.Exec.Command)
		return failed == nil && cmd.Run() == nil
	}
	return err == nil && (result == probe.Success || result == probe.Warning)
}

// output writes what a container says to its log file in the CRI format, and to those attached to it.
type output struct {
	mu       sync.Mutex
	file     *os.File
	streams  []*outputStream
	attached map[*io.Writer]string
}

type outputStream struct {
	o    *output
	name string
	rest []byte
}

func (o *output) open(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	var err error
	o.streams = nil
	o.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	return err
}

func (o *output) stream(name string) *outputStream {
	s := &outputStream{o: o, name: name}
	o.streams = append(o.streams, s)
	return s
}

func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.streams {
		if len(s.rest) > 0 {
			s.line(s.rest, "F")
		}
	}
	if o.file != nil {
		o.file.Close()
	}
	o.file, o.streams = nil, nil
}

func (o *output) attach(name string, to io.Writer) (detach func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.attached == nil {
		o.attached = map[*io.Writer]string{}
	}
	o.attached[&to] = name
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.attached, &to)
	}
}

func (s *outputStream) Write(data []byte) (int, error) {
	s.o.mu.Lock()
	defer s.o.mu.Unlock()
	for to, name := range s.o.attached {
		if name == s.name {
			(*to).Write(data)
		}
	}
	s.rest = append(s.rest, data...)
	for {
		i := bytes.IndexByte(s.rest, '\n')
		switch {
		case i >= 0:
			s.line(s.rest[:i], "F")
			s.rest = s.rest[i+1:]
		case len(s.rest) > 16<<10:
			s.line(s.rest, "P")
			s.rest = nil
		default:
			return len(data), nil
		}
	}
}

func (s *outputStream) line(text []byte, tag string) {
	if s.o.file != nil {
		fmt.Fprintf(s.o.file, "%s %s %s %s\n", time.Now().UTC().Format("2006-01-02T15:04:05.000000000Z07:00"), s.name, tag, strings.ToValidUTF8(string(text), "?"))
	}
}
