package kubelet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	authv1 "k8s.io/api/authentication/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	apiresource "k8s.io/kubernetes/pkg/api/v1/resource"
	"k8s.io/kubernetes/pkg/fieldpath"
	"k8s.io/kubernetes/pkg/kubelet/envvars"
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/configmap"
	"k8s.io/kubernetes/pkg/volume/downwardapi"
	"k8s.io/kubernetes/pkg/volume/secret"
	volumeutil "k8s.io/kubernetes/pkg/volume/util"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

type files = map[string]volumeutil.FileProjection

// writeVolumes fills the pod's volumes; called again, it brings those made of API objects up to date.
func (w *worker) writeVolumes(ctx context.Context) error {
	for _, v := range w.pod.Load().Spec.Volumes {
		dir := w.volumePath(v.Name)
		var sources []v1.VolumeProjection
		var mode *int32
		switch {
		case v.HostPath != nil:
			if t := v.HostPath.Type; t != nil && *t == v1.HostPathDirectoryOrCreate {
				if err := os.MkdirAll(v.HostPath.Path, 0o755); err != nil {
					return err
				}
			}
			continue
		case v.EmptyDir != nil:
			if err := errors.Join(os.MkdirAll(dir, 0o755), os.Chmod(dir, 0o777), w.own(dir, 0o660)); err != nil {
				return err
			}
			continue
		case v.Secret != nil:
			mode = v.Secret.DefaultMode
			sources = []v1.VolumeProjection{{Secret: &v1.SecretProjection{LocalObjectReference: v1.LocalObjectReference{Name: v.Secret.SecretName}, Items: v.Secret.Items, Optional: v.Secret.Optional}}}
		case v.ConfigMap != nil:
			mode = v.ConfigMap.DefaultMode
			sources = []v1.VolumeProjection{{ConfigMap: &v1.ConfigMapProjection{LocalObjectReference: v.ConfigMap.LocalObjectReference, Items: v.ConfigMap.Items, Optional: v.ConfigMap.Optional}}}
		case v.DownwardAPI != nil:
			mode = v.DownwardAPI.DefaultMode
			sources = []v1.VolumeProjection{{DownwardAPI: &v1.DownwardAPIProjection{Items: v.DownwardAPI.Items}}}
		case v.Projected != nil:
			mode, sources = v.Projected.DefaultMode, v.Projected.Sources
		default:
			return fmt.Errorf("volume %q is of a kind this node does not have", v.Name)
		}
		payload := files{}
		for _, from := range sources {
			part, err := w.project(ctx, from, mode)
			if err != nil {
				return fmt.Errorf("volume %q: %w", v.Name, err)
			}
			maps.Copy(payload, part)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		writer, err := volumeutil.NewAtomicWriter(dir, v.Name)
		if err != nil {
			return err
		}
		if err := writer.Write(payload, func(version string) error { return w.own(filepath.Join(dir, version), 0o440) }); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) volumePath(name string) string {
	for _, v := range w.pod.Load().Spec.Volumes {
		if v.Name == name && v.HostPath != nil {
			return v.HostPath.Path
		}
	}
	return filepath.Join(w.dir, "volumes", name)
}

// source gets the Secret or ConfigMap a pod names; where it is missing but optional, an empty one.
func source[T any](get func(context.Context, string, metav1.GetOptions) (*T, error), ctx context.Context, name string, optional *bool) (*T, error) {
	object, err := get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) && optional != nil && *optional {
		return new(T), nil
	}
	return object, err
}

func (w *worker) project(ctx context.Context, from v1.VolumeProjection, mode *int32) (files, error) {
	pod, core := w.withIP(), w.k.client.CoreV1()
	switch {
	case from.Secret != nil:
		s := from.Secret
		object, err := source(core.Secrets(pod.Namespace).Get, ctx, s.Name, s.Optional)
		if err != nil {
			return nil, err
		}
		return secret.MakePayload(s.Items, object, mode, s.Optional != nil && *s.Optional)
	case from.ConfigMap != nil:
		s := from.ConfigMap
		object, err := source(core.ConfigMaps(pod.Namespace).Get, ctx, s.Name, s.Optional)
		if err != nil {
			return nil, err
		}
		return configmap.MakePayload(s.Items, object, mode, s.Optional != nil && *s.Optional)
	case from.DownwardAPI != nil:
		return downwardapi.CollectData(from.DownwardAPI.Items, pod, volumeHost{allocatable: w.k.allocatable}, mode)
	case from.ServiceAccountToken != nil:
		s := from.ServiceAccountToken
		if cached := w.tokens[s.Path]; time.Now().After(cached.renew) {
			request := &authv1.TokenRequest{Spec: authv1.TokenRequestSpec{
				ExpirationSeconds: s.ExpirationSeconds,
				BoundObjectRef:    &authv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: pod.Name, UID: pod.UID},
			}}
			if s.Audience != "" {
				request.Spec.Audiences = []string{s.Audience}
			}
			answer, err := core.ServiceAccounts(pod.Namespace).CreateToken(ctx, pod.Spec.ServiceAccountName, request, metav1.CreateOptions{})
			if err != nil {
				return nil, err
			}
			w.tokens[s.Path] = token{answer.Status.Token, time.Now().Add(time.Until(answer.Status.ExpirationTimestamp.Time) / 2)}
		}
		return files{s.Path: {Data: []byte(w.tokens[s.Path].token), Mode: *mode}}, nil
	}
	return nil, errors.New("a projection of a kind this node does not have")
}

type token struct {
	token string
	renew time.Time
}

// volumeHost answers the one question downwardapi asks.
type volumeHost struct {
	volume.VolumeHost
	allocatable v1.ResourceList
}

func (h volumeHost) GetNodeAllocatable() (v1.ResourceList, error) { return h.allocatable, nil }

// environment is what a container's process gets: the node's ground, the image's, then the pod's own.
func (w *worker) environment(ctx context.Context, c *v1.Container, image *Image) (map[string]string, error) {
	pod, core := w.withIP(), w.k.client.CoreV1()
	env := map[string]string{
		"PATH":     "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOSTNAME": w.hostname(),
	}
	if pod.Spec.EnableServiceLinks == nil || *pod.Spec.EnableServiceLinks {
		services, err := w.k.serviceLister.Services(pod.Namespace).List(labels.Everything())
		if err != nil {
			return nil, err
		}
		for _, e := range envvars.FromServices(services) {
			env[e.Name] = e.Value
		}
	}
	if api, err := w.k.serviceLister.Services(v1.NamespaceDefault).Get("kubernetes"); err == nil {
		for _, e := range envvars.FromServices([]*v1.Service{api}) {
			env[e.Name] = e.Value
		}
	}
	mapping := expansion.MappingFuncFor(env, map[string]string{"POD_IP": w.ip})
	for name, value := range image.Env {
		env[name] = expansion.Expand(value, mapping)
	}
	for _, from := range c.EnvFrom {
		if ref := from.SecretRef; ref != nil {
			object, err := source(core.Secrets(pod.Namespace).Get, ctx, ref.Name, ref.Optional)
			if err != nil {
				return nil, err
			}
			for name, value := range object.Data {
				env[from.Prefix+name] = string(value)
			}
		}
		if ref := from.ConfigMapRef; ref != nil {
			object, err := source(core.ConfigMaps(pod.Namespace).Get, ctx, ref.Name, ref.Optional)
			if err != nil {
				return nil, err
			}
			for name, value := range object.Data {
				env[from.Prefix+name] = value
			}
		}
	}
	for _, e := range c.Env {
		if e.ValueFrom == nil {
			env[e.Name] = expansion.Expand(e.Value, expansion.MappingFuncFor(env))
			continue
		}
		value, found, err := w.valueFrom(ctx, pod, c, e.ValueFrom)
		if err != nil {
			return nil, fmt.Errorf("env %q: %w", e.Name, err)
		}
		if found {
			env[e.Name] = value
		}
	}
	return env, nil
}

// valueFrom is one variable's value, and whether it has one at all.
func (w *worker) valueFrom(ctx context.Context, pod *v1.Pod, c *v1.Container, from *v1.EnvVarSource) (value string, found bool, err error) {
	core := w.k.client.CoreV1()
	var key string
	var optional *bool
	switch {
	case from.SecretKeyRef != nil:
		ref := from.SecretKeyRef
		var object *v1.Secret
		if object, err = source(core.Secrets(pod.Namespace).Get, ctx, ref.Name, ref.Optional); err == nil {
			var data []byte
			data, found = object.Data[ref.Key]
			value = string(data)
		}
		key, optional = ref.Key, ref.Optional
	case from.ConfigMapKeyRef != nil:
		ref := from.ConfigMapKeyRef
		var object *v1.ConfigMap
		if object, err = source(core.ConfigMaps(pod.Namespace).Get, ctx, ref.Name, ref.Optional); err == nil {
			value, found = object.Data[ref.Key]
		}
		key, optional = ref.Key, ref.Optional
	case from.ResourceFieldRef != nil:
		value, err = apiresource.ExtractContainerResourceValue(from.ResourceFieldRef, c)
		return value, true, err
	case from.FieldRef != nil:
		switch path := from.FieldRef.FieldPath; path {
		case "spec.nodeName":
			return pod.Spec.NodeName, true, nil
		case "spec.serviceAccountName":
			return pod.Spec.ServiceAccountName, true, nil
		case "status.hostIP", "status.hostIPs":
			return w.k.address, true, nil
		case "status.podIP", "status.podIPs":
			return w.ip, true, nil
		default:
			value, err = fieldpath.ExtractFieldPathAsString(pod, path)
			return value, true, err
		}
	}
	if err == nil && !found && (optional == nil || !*optional) {
		err = fmt.Errorf("no key %q", key)
	}
	return value, found, err
}
