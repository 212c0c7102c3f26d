/**
 * The health of live objects: takes an object, and returns a status with a reason. Nothing is fetched: an
 * object is judged by its own status, by the rule of its kind. Each rule has its own file.
 */
import { messageOf } from "@weir/base";
import { groupOf, type KubeObject } from "@weir/kube";
import { apiServiceHealth } from "./apiservice.ts";
import { crdHealth } from "./crd.ts";
import { daemonSetHealth } from "./daemonset.ts";
import { deploymentHealth } from "./deployment.ts";
import { type Health, type HealthRule, health } from "./health-status.ts";
import { hpaHealth } from "./hpa.ts";
import { ingressHealth } from "./ingress.ts";
import { jobHealth } from "./job.ts";
import { podHealth } from "./pod.ts";
import { pvcHealth } from "./pvc.ts";
import { replicaSetHealth } from "./replicaset.ts";
import { serviceHealth } from "./service.ts";
import { statefulSetHealth } from "./statefulset.ts";

const rules: ReadonlyMap<string, HealthRule> = new Map([
  ["/PersistentVolumeClaim", pvcHealth],
  ["/Pod", podHealth],
  ["/Service", serviceHealth],
  ["apiextensions.k8s.io/CustomResourceDefinition", crdHealth],
  ["apiregistration.k8s.io/APIService", apiServiceHealth],
  ["apps/DaemonSet", daemonSetHealth],
  ["apps/Deployment", deploymentHealth],
  ["apps/ReplicaSet", replicaSetHealth],
  ["apps/StatefulSet", statefulSetHealth],
  ["autoscaling/HorizontalPodAutoscaler", hpaHealth],
  ["batch/Job", jobHealth],
  ["extensions/Ingress", ingressHealth],
  ["networking.k8s.io/Ingress", ingressHealth],
]);

/**
 * The health of a live object; undefined if its kind has none, such as a ConfigMap. A custom rule takes
 * precedence over the built-in one; a rule that throws makes the object Unknown.
 */
export function healthOf(live: KubeObject, ownRule?: HealthRule): Health | undefined {
  if (live.metadata.deletionTimestamp !== undefined) {
    return health("Progressing", "being deleted");
  }
  const builtIn = rules.get(`${groupOf(live.apiVersion)}/${live.kind}`);
  try {
    return ownRule?.(live) ?? builtIn?.(live);
  } catch (error) {
    return health("Unknown", messageOf(error));
  }
}
