import type { Defaulter } from "../../schema/apply-defaults.ts";
import { drop, ensureTree, isTrueAt, setDefault, stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";

/** The defaults of pods and all that they are made of, as `k8s.io/kubernetes/pkg/apis/core/v1` sets them. */
export const podDefaulters: Readonly<Record<string, Defaulter>> = {
  "io.k8s.api.core.v1.Pod": defaultPod,
  "io.k8s.api.core.v1.PodSpec": defaultPodSpec,
  "io.k8s.api.core.v1.PodStatus": alignAddresses,
  "io.k8s.api.core.v1.Container": defaultContainer,
  "io.k8s.api.core.v1.EphemeralContainer": defaultContainer,
  "io.k8s.api.core.v1.Probe": defaultProbe,
  "io.k8s.api.core.v1.HTTPGetAction": defaultHttpGet,
  "io.k8s.api.core.v1.ObjectFieldSelector": (selector) => setDefault(selector, "apiVersion", "v1"),
  "io.k8s.api.core.v1.Volume": defaultVolume,
  "io.k8s.api.core.v1.SecretVolumeSource": defaultMode,
  "io.k8s.api.core.v1.ConfigMapVolumeSource": defaultMode,
  "io.k8s.api.core.v1.DownwardAPIVolumeSource": defaultMode,
  "io.k8s.api.core.v1.ProjectedVolumeSource": defaultMode,
  "io.k8s.api.core.v1.ServiceAccountTokenProjection": (token) => setDefault(token, "expirationSeconds", 3600),
  "io.k8s.api.core.v1.HostPathVolumeSource": (volume) => setDefault(volume, "type", ""),
};

/** The one address of a pod is the first of all its addresses. */
function alignAddresses(status: Tree): void {
  const address = stringAt(status, "podIP");
  const [first] = treesAt(status, "podIPs");
  if (address !== "" && stringAt(first, "ip") !== address) {
    status["podIPs"] = [{ ip: address }];
  }
}

/** True where an image is named without a digest and without a tag, or with the tag "latest". */
export function isLatestImage(image: string): boolean {
  const name = image.slice(image.lastIndexOf("/") + 1);
  if (image === "" || image.includes("@")) {
    return false;
  }
  return !name.includes(":") || name.endsWith(":latest");
}

function defaultPod(pod: Tree): void {
  const spec = ensureTree(pod, "spec");
  const containers = [...treesAt(spec, "containers"), ...treesAt(spec, "initContainers")];
  for (const container of containers) {
    defaultRequests(container);
  }
  setDefault(spec, "enableServiceLinks", true);
  if (isTrueAt(spec, "hostNetwork")) {
    for (const port of containers.flatMap((container) => treesAt(container, "ports"))) {
      setDefault(port, "hostPort", port["containerPort"] ?? 0);
    }
  }
}

/** What is limited and not requested is requested up to its limit. */
function defaultRequests(container: Tree): void {
  const limits = treeAt(container, "resources", "limits");
  if (limits !== undefined) {
    const requests = ensureTree(ensureTree(container, "resources"), "requests");
    for (const [name, amount] of Object.entries(limits)) {
      setDefault(requests, name, amount ?? "0");
    }
  }
}

function defaultPodSpec(spec: Tree): void {
  setDefault(spec, "dnsPolicy", "ClusterFirst");
  setDefault(spec, "restartPolicy", "Always");
  setDefault(spec, "securityContext", {});
  setDefault(spec, "terminationGracePeriodSeconds", 30);
  setDefault(spec, "schedulerName", "default-scheduler");
  shareServiceAccount(spec);
}

/** The old name of serviceAccountName says the same; the new one counts where both are there. */
function shareServiceAccount(spec: Tree): void {
  const name = stringAt(spec, "serviceAccountName") || stringAt(spec, "serviceAccount");
  if (name === "") {
    drop(spec, "serviceAccount");
  } else {
    spec["serviceAccountName"] = name;
    spec["serviceAccount"] = name;
  }
}

function defaultContainer(container: Tree): void {
  const policy = isLatestImage(stringAt(container, "image")) ? "Always" : "IfNotPresent";
  setDefault(container, "imagePullPolicy", policy);
  setDefault(container, "terminationMessagePath", "/dev/termination-log");
  setDefault(container, "terminationMessagePolicy", "File");
}

function defaultProbe(probe: Tree): void {
  setDefault(probe, "timeoutSeconds", 1);
  setDefault(probe, "periodSeconds", 10);
  setDefault(probe, "successThreshold", 1);
  setDefault(probe, "failureThreshold", 3);
}

function defaultHttpGet(action: Tree): void {
  setDefault(action, "path", "/");
  setDefault(action, "scheme", "HTTP");
}

function defaultVolume(volume: Tree): void {
  if (Object.keys(volume).every((key) => key === "name")) {
    volume["emptyDir"] = {};
  }
  const image = treeAt(volume, "image");
  if (image !== undefined) {
    setDefault(image, "pullPolicy", isLatestImage(stringAt(image, "reference")) ? "Always" : "IfNotPresent");
  }
}

function defaultMode(volume: Tree): void {
  setDefault(volume, "defaultMode", 0o644);
}
