// Package kubelet is a node for a Kubernetes API server that runs pods as plain processes:
// no container runtime and no images, each container in namespaces of its own over the host's files.
package kubelet

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	certutil "k8s.io/client-go/util/cert"
	"k8s.io/component-helpers/apimachinery/lease"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Kubelet is one node and the pods it runs.
type Kubelet struct {
	client             kubernetes.Interface
	events             record.EventRecorder
	node, dir, address string
	port               int
	apiHost, apiPort   string
	imagesFile         string
	maxDelay, refresh  time.Duration
	labels             map[string]string
	allocatable        v1.ResourceList
	podLister          listers.PodLister
	serviceLister      listers.ServiceLister
	network            *network

	mu     sync.Mutex
	pods   map[types.UID]*worker
	ips    netip.Prefix
	nextIP netip.Addr
}

// Main is the program: flags in, exit status out.
func Main(args []string) int {
	if len(args) > 0 && args[0] == childCommand {
		return runChild()
	}
	if err := start(args); err != nil {
		fmt.Fprintln(os.Stderr, "process-kubelet:", err)
		return 1
	}
	return 0
}

func start(args []string) error {
	k := &Kubelet{pods: map[types.UID]*worker{}}
	flags := flag.NewFlagSet("process-kubelet", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", os.Getenv("KUBECONFIG"), "how to reach the API server")
	podCIDR := flags.String("pod-cidr", "10.1.0.0/16", "pods get their IPs from here, all but the first, which is the node's")
	serviceCIDR := flags.String("service-cluster-ip-range", "10.2.0.0/16", "the ClusterIPs that the API server gives out")
	var doors []string
	flags.Func("door", "socket=host:port: a Unix socket to make, by which those outside this network reach a server in it; can be repeated", func(door string) error {
		doors = append(doors, door)
		return nil
	})
	clientCA := flags.String("client-ca-file", "", "ask callers of the kubelet API for a certificate of this authority (default: serve anyone who can connect)")
	flags.StringVar(&k.node, "node-name", "process-node", "name of the Node")
	flags.StringVar(&k.dir, "dir", "", "folder for volumes, logs and mounts")
	flags.StringVar(&k.imagesFile, "images", "", "YAML file that says which program stands for which image; read anew for each container")
	flags.IntVar(&k.port, "port", 10250, "port of the kubelet API")
	flags.DurationVar(&k.maxDelay, "max-initial-delay", 0, "cut the initialDelaySeconds of readiness probes down to this (0: leave them)")
	flags.DurationVar(&k.refresh, "sync-frequency", 30*time.Second, "how often volumes made of API objects are brought up to date")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if k.dir == "" || k.imagesFile == "" {
		return errors.New("--dir and --images are required")
	}
	var err error
	if k.dir, err = filepath.Abs(k.dir); err != nil {
		return err
	}
	if _, err = readImages(k.imagesFile); err != nil {
		return err
	}
	if k.ips, err = netip.ParsePrefix(*podCIDR); err != nil {
		return err
	}
	k.nextIP = k.ips.Masked().Addr().Next()
	k.address = k.nextIP.String()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 100, 200
	if k.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		return err
	}
	k.apiHost, k.apiPort = server.Hostname(), server.Port()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: k.client.CoreV1().Events("")})
	k.events = broadcaster.NewRecorder(scheme.Scheme, v1.EventSource{Component: "process-kubelet", Host: k.node})
	if err := openBridge(k.address, k.ips, *serviceCIDR); err != nil {
		return err
	}
	for _, door := range doors {
		if err := openDoor(ctx, door); err != nil {
			return err
		}
	}
	if err := k.serve(ctx, *clientCA); err != nil {
		return err
	}
	if err := k.register(ctx); err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(k.client, 0)
	k.podLister, k.serviceLister = factory.Core().V1().Pods().Lister(), factory.Core().V1().Services().Lister()
	k.network = newNetwork(k)
	changed := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { k.network.refresh() },
		UpdateFunc: func(any, any) { k.network.refresh() },
		DeleteFunc: func(any) { k.network.refresh() },
	}
	factory.Core().V1().Services().Informer().AddEventHandler(changed)
	pods := factory.Core().V1().Pods().Informer()
	pods.AddEventHandler(changed)
	pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { k.sync(ctx, o.(*v1.Pod)) },
		UpdateFunc: func(_, o any) { k.sync(ctx, o.(*v1.Pod)) },
		DeleteFunc: func(o any) {
			if gone, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = gone.Obj
			}
			k.mu.Lock()
			w := k.pods[o.(*v1.Pod).UID]
			k.mu.Unlock()
			if w != nil {
				w.terminate(0)
			}
		},
	})
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go k.network.run(ctx)
	go lease.NewController(clock.RealClock{}, k.client, k.node, 40, nil, 10*time.Second, k.node, v1.NamespaceNodeLease, nil).Run(ctx)
	klog.InfoS("Running", "node", k.node)
	<-ctx.Done() // the processes are children that die with this one
	return nil
}

// serve opens the kubelet API with a certificate made on the spot.
func (k *Kubelet) serve(ctx context.Context, clientCA string) error {
	certificate, key, err := certutil.GenerateSelfSignedCertKey(k.node, []net.IP{net.ParseIP(k.address)}, nil)
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return err
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}}
	if clientCA != "" {
		if config.ClientCAs, err = certutil.NewPool(clientCA); err != nil {
			return err
		}
		config.ClientAuth = tls.RequireAndVerifyClientCert
	}
	listener, err := tls.Listen("tcp", net.JoinHostPort(k.address, strconv.Itoa(k.port)), config)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: k.handler(), BaseContext: func(net.Listener) context.Context { return ctx }}
	go func() { klog.ErrorS(server.Serve(listener), "The kubelet API ended") }()
	return nil
}

// register creates or refreshes the Node; the Lease says afterwards that it lives.
func (k *Kubelet) register(ctx context.Context) error {
	k.allocatable = v1.ResourceList{
		v1.ResourceCPU:    *resource.NewQuantity(int64(runtime.NumCPU()), resource.DecimalSI),
		v1.ResourceMemory: resource.MustParse("8Gi"),
		v1.ResourcePods:   resource.MustParse("110"),
	}
	k.labels = map[string]string{v1.LabelHostname: k.node}
	for _, prefix := range []string{"", "beta."} {
		k.labels[prefix+v1.LabelOSStable] = runtime.GOOS
		k.labels[prefix+v1.LabelArchStable] = runtime.GOARCH
	}
	nodes := k.client.CoreV1().Nodes()
	k.awaitServer(ctx)
	node, err := nodes.Create(ctx, &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: k.node, Labels: k.labels}}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		node, err = nodes.Get(ctx, k.node, metav1.GetOptions{})
	}
	if err != nil {
		return err
	}
	now := metav1.Now()
	node.Status.Capacity, node.Status.Allocatable = k.allocatable, k.allocatable
	node.Status.Addresses = []v1.NodeAddress{{Type: v1.NodeInternalIP, Address: k.address}, {Type: v1.NodeHostName, Address: k.node}}
	node.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(k.port)
	node.Status.NodeInfo = v1.NodeSystemInfo{OperatingSystem: runtime.GOOS, Architecture: runtime.GOARCH, ContainerRuntimeVersion: "process://1", KubeletVersion: "v1.34.2"}
	node.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: now, LastTransitionTime: now}}
	_, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{})
	return err
}

// awaitServer waits for the API server, which may have been started at the same time.
func (k *Kubelet) awaitServer(ctx context.Context) {
	for {
		_, err := k.client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil || !sleep(ctx, 100*time.Millisecond) {
			return
		}
	}
}

// sync takes a pod as the API server has it: binds it, starts it, or hands it to its worker.
func (k *Kubelet) sync(ctx context.Context, pod *v1.Pod) {
	switch pod.Spec.NodeName {
	case k.node:
	case "":
		if pod.DeletionTimestamp == nil && len(pod.Spec.SchedulingGates) == 0 && labels.SelectorFromSet(pod.Spec.NodeSelector).Matches(labels.Set(k.labels)) {
			binding := &v1.Binding{ObjectMeta: metav1.ObjectMeta{Name: pod.Name, UID: pod.UID}, Target: v1.ObjectReference{Kind: "Node", Name: k.node}}
			go k.client.CoreV1().Pods(pod.Namespace).Bind(ctx, binding, metav1.CreateOptions{})
		}
		return
	default:
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	w := k.pods[pod.UID]
	finished := pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
	switch {
	case w == nil && pod.DeletionTimestamp != nil:
		go k.remove(pod)
	case w == nil && finished:
	case w == nil:
		w = newWorker(k, pod)
		k.pods[pod.UID] = w
		go w.run()
	default:
		w.pod.Store(pod)
		if pod.DeletionTimestamp != nil {
			w.terminate(time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second)
		}
	}
}

// remove tells the API server that nothing of the pod is left.
func (k *Kubelet) remove(pod *v1.Pod) {
	zero := int64(0)
	err := k.client.CoreV1().Pods(pod.Namespace).Delete(context.Background(), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &zero, Preconditions: &metav1.Preconditions{UID: &pod.UID}})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		klog.ErrorS(err, "Could not delete", "pod", klog.KObj(pod))
	}
}

// allocateIP gives out the pod range in turn. The caller holds k.mu.
func (k *Kubelet) allocateIP() string {
	if k.nextIP = k.nextIP.Next(); !k.ips.Contains(k.nextIP) {
		k.nextIP = k.ips.Masked().Addr().Next().Next()
	}
	return k.nextIP.String()
}

func (k *Kubelet) find(namespace, name string) *worker {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.pods {
		if pod := w.pod.Load(); pod.Namespace == namespace && pod.Name == name {
			return w
		}
	}
	return nil
}
