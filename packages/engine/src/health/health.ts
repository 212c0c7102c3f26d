/**
 * The health of live objects: takes an object, and returns a status with a reason. Nothing is fetched: an
 * object is judged by its own status, by the rule of its kind. Each rule has its own file.
 */
import { messageOf } from "@weir/base";
import { groupOf, type KubeObject } from "@weir/kube";
import { apiServiceHealth } from "./apiservice.ts";
import {
  applicationSetHealth,
  argoRunHealth,
  cronWorkflowHealth,
  eventBusHealth,
  rolloutHealth,
} from "./argo.ts";
import { conditionsHealth } from "./conditions.ts";
import { crdHealth } from "./crd.ts";
import { daemonSetHealth } from "./daemonset.ts";
import { deploymentHealth } from "./deployment.ts";
import { objectOf } from "./fields.ts";
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
  ["argoproj.io/AnalysisRun", argoRunHealth],
  ["argoproj.io/ApplicationSet", applicationSetHealth],
  ["argoproj.io/CronWorkflow", cronWorkflowHealth],
  ["argoproj.io/EventBus", eventBusHealth],
  ["argoproj.io/Experiment", argoRunHealth],
  ["argoproj.io/Rollout", rolloutHealth],
  ["argoproj.io/Workflow", argoRunHealth],
  ["autoscaling/HorizontalPodAutoscaler", hpaHealth],
  ["batch/Job", jobHealth],
  ["extensions/Ingress", ingressHealth],
  ["networking.k8s.io/Ingress", ingressHealth],
]);

/**
 * The health of a live object; undefined if it has none, such as a ConfigMap. A custom rule takes precedence
 * over the built-in one of the kind, and that over the conventions for conditions, which all other kinds are
 * judged by. Any JSON object gets an answer: one that a rule can't judge is Unknown. An object with the
 * annotation `weir.dev/ignore-healthcheck: "true"` has no health, for kinds that are rarely or never ready.
 */
export function healthOf(live: KubeObject, ownRule?: HealthRule): Health | undefined {
  try {
    // Lists and other odd objects may lack metadata.
    const { deletionTimestamp, annotations } = objectOf(live.metadata);
    if (typeof deletionTimestamp === "string") {
      return health("Progressing", "being deleted");
    }
    if (objectOf(annotations)["weir.dev/ignore-healthcheck"] === "true") {
      return undefined;
    }
    const builtIn = rules.get(`${groupOf(live.apiVersion)}/${live.kind}`);
    return ownRule?.(live) ?? builtIn?.(live) ?? conditionsHealth(live);
  } catch (error) {
    return health("Unknown", messageOf(error));
  }
}
