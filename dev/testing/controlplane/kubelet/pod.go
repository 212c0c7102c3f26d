package kubelet

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
)

// worker runs one pod from start to end.
type worker struct {
	k       *Kubelet
	pod     atomic.Pointer[v1.Pod] // as last seen
	ip, dir string
	tokens  map[string]token
	started metav1.Time
	ctx     context.Context // ends when the pod is to stop
	cancel  context.CancelFunc
	dirty   chan struct{}

	mu          sync.Mutex
	deadline    time.Time // when what has not stopped is killed
	containers  []*process
	initialized bool
	phase       v1.PodPhase
	message     string
	conditions  map[v1.PodConditionType]v1.PodCondition
}

// newWorker is called with k.mu held.
func newWorker(k *Kubelet, pod *v1.Pod) *worker {
	w := &worker{
		k: k, ip: k.allocateIP(), dir: filepath.Join(k.dir, "pods", string(pod.UID)), started: metav1.Now(), phase: v1.PodPending,
		tokens: map[string]token{}, dirty: make(chan struct{}, 1), conditions: map[v1.PodConditionType]v1.PodCondition{},
	}
	if pod.Spec.HostNetwork {
		w.ip = k.address
	}
	w.pod.Store(pod)
	w.ctx, w.cancel = context.WithCancel(context.Background())
	for i := range pod.Spec.InitContainers {
		w.containers = append(w.containers, newProcess(w, &pod.Spec.InitContainers[i], true))
	}
	for i := range pod.Spec.Containers {
		w.containers = append(w.containers, newProcess(w, &pod.Spec.Containers[i], false))
	}
	return w
}

// terminate stops the pod; of several calls the earliest deadline holds.
func (w *worker) terminate(grace time.Duration) {
	w.mu.Lock()
	if d := time.Now().Add(grace); w.deadline.IsZero() || d.Before(w.deadline) {
		w.deadline = d
	}
	w.mu.Unlock()
	w.cancel()
}

func (w *worker) run() {
	ended := make(chan struct{})
	reported := make(chan struct{})
	go func() {
		w.report(ended)
		close(reported)
	}()
	phase := w.live()
	w.update(func() { w.phase = phase })
	<-w.ctx.Done() // a pod that ran to its end stays until someone deletes it
	close(ended)
	<-reported
	w.k.remove(w.pod.Load())
	os.RemoveAll(w.dir)
	if err := w.disconnect(); err != nil {
		klog.ErrorS(err, "Could not take down the network", "pod", klog.KObj(w.pod.Load()))
	}
	w.k.mu.Lock()
	delete(w.k.pods, w.pod.Load().UID)
	w.k.mu.Unlock()
}

// live prepares the pod, runs its containers and says how it ended.
func (w *worker) live() v1.PodPhase {
	if !w.prepare() {
		return v1.PodFailed
	}
	policy := w.pod.Load().Spec.RestartPolicy
	var sidecars sync.WaitGroup
	defer sidecars.Wait()
	for _, p := range w.containers {
		switch {
		case !p.init:
		case p.spec.RestartPolicy != nil && *p.spec.RestartPolicy == v1.ContainerRestartPolicyAlways: // a sidecar
			sidecars.Add(1)
			go func() {
				defer sidecars.Done()
				p.run(v1.RestartPolicyAlways)
			}()
			for !p.isStarted() && sleep(w.ctx, 100*time.Millisecond) {
			}
		default:
			once := policy
			if once == v1.RestartPolicyAlways {
				once = v1.RestartPolicyOnFailure
			}
			if code := p.run(once); code != 0 || w.ctx.Err() != nil {
				return v1.PodFailed
			}
		}
	}
	w.update(func() { w.initialized, w.phase = true, v1.PodRunning })
	var mains sync.WaitGroup
	var failed atomic.Bool
	for _, p := range w.containers {
		if !p.init {
			mains.Add(1)
			go func() {
				defer mains.Done()
				if p.run(policy) != 0 {
					failed.Store(true)
				}
			}()
		}
	}
	mains.Wait()
	for _, p := range w.containers {
		p.stop()
	}
	if failed.Load() {
		return v1.PodFailed
	}
	return v1.PodSucceeded
}

// prepare makes the pod's files, trying again while an object they are made of is missing.
func (w *worker) prepare() bool {
	pod := w.pod.Load()
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		klog.ErrorS(err, "No folder", "pod", klog.KObj(pod))
	}
	if err := os.WriteFile(filepath.Join(w.dir, "hosts"), nil, 0o644); err != nil {
		klog.ErrorS(err, "No hosts file", "pod", klog.KObj(pod))
	}
	if err := w.writeResolvConf(); err != nil {
		klog.ErrorS(err, "No resolv.conf", "pod", klog.KObj(pod))
	}
	if err := w.connect(); err != nil {
		w.k.events.Event(pod, v1.EventTypeWarning, "FailedCreatePodSandBox", err.Error())
		w.update(func() { w.message = err.Error() })
		return false
	}
	w.k.network.sync()
	for delay := 500 * time.Millisecond; ; delay = min(2*delay, 10*time.Second) {
		err := w.writeVolumes(w.ctx)
		if err == nil {
			break
		}
		w.k.events.Event(pod, v1.EventTypeWarning, "FailedMount", err.Error())
		w.update(func() { w.message = err.Error() })
		if !sleep(w.ctx, delay) {
			return false
		}
	}
	w.update(func() { w.message = "" })
	go func() {
		for sleep(w.ctx, w.k.refresh) {
			if err := w.writeVolumes(w.ctx); err != nil && w.ctx.Err() == nil {
				klog.ErrorS(err, "Could not refresh volumes", "pod", klog.KObj(pod))
			}
		}
	}()
	return true
}

func (w *worker) hostname() string {
	pod := w.pod.Load()
	if pod.Spec.Hostname != "" {
		return pod.Spec.Hostname
	}
	return pod.Name[:min(len(pod.Name), 63)]
}

func (w *worker) withIP() *v1.Pod {
	pod := w.pod.Load().DeepCopy()
	pod.Status.PodIP, pod.Status.HostIP = w.ip, w.k.address
	return pod
}

// update changes what the status is made of and has it sent.
func (w *worker) update(change func()) {
	w.mu.Lock()
	change()
	w.mu.Unlock()
	select {
	case w.dirty <- struct{}{}:
	default:
	}
}

// report sends the status whenever it changed, and once more at the end.
func (w *worker) report(ended <-chan struct{}) {
	var sent string
	for last := false; !last; {
		select {
		case <-w.dirty:
		case <-ended:
			last = true
		}
		pod := w.pod.Load()
		patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": w.status()})
		if err != nil || string(patch) == sent {
			continue
		}
		_, err = w.k.client.CoreV1().Pods(pod.Namespace).Patch(context.Background(), pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
		switch {
		case err == nil:
			sent = string(patch)
		case apierrors.IsNotFound(err) || apierrors.IsConflict(err):
		default:
			klog.ErrorS(err, "Could not report", "pod", klog.KObj(pod))
			if !last {
				time.AfterFunc(time.Second, func() { w.update(func() {}) })
			}
		}
	}
}

func (w *worker) status() v1.PodStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	status := v1.PodStatus{
		Phase: w.phase, Message: w.message, StartTime: &w.started,
		HostIP: w.k.address, HostIPs: []v1.HostIP{{IP: w.k.address}}, PodIP: w.ip, PodIPs: []v1.PodIP{{IP: w.ip}},
	}
	ready := w.phase == v1.PodRunning
	for _, p := range w.containers {
		if p.init {
			status.InitContainerStatuses = append(status.InitContainerStatuses, p.status)
		} else {
			status.ContainerStatuses = append(status.ContainerStatuses, p.status)
			ready = ready && p.status.Ready
		}
	}
	for t, is := range map[v1.PodConditionType]bool{v1.PodScheduled: true, v1.PodInitialized: w.initialized, v1.ContainersReady: ready, v1.PodReady: ready} {
		value := v1.ConditionFalse
		if is {
			value = v1.ConditionTrue
		}
		if old, ok := w.conditions[t]; !ok || old.Status != value {
			w.conditions[t] = v1.PodCondition{Type: t, Status: value, LastTransitionTime: metav1.Now()}
		}
	}
	for _, t := range []v1.PodConditionType{v1.PodScheduled, v1.PodInitialized, v1.ContainersReady, v1.PodReady} {
		status.Conditions = append(status.Conditions, w.conditions[t])
	}
	return status
}

// sleep is false when the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
