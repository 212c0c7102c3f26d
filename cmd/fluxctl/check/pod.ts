import {
  type Finding,
  failed,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  passed,
  warning,
} from "@weir/base";

const subject = "pod";

/** How fluxd is, by the pods that bear its labels. */
export function podFinding(
  pods: readonly unknown[],
  namespace: string,
  selectors: readonly string[],
): Finding {
  const [pod, ...others] = pods.filter(isJsonObject).filter((each) => !isLeaving(each));
  if (pod === undefined) {
    return failed(
      subject,
      `there is no pod of fluxd in namespace ${namespace}, by the labels ${selectors.join(" or ")}`,
      "say with --k8s-fwd-ns in which namespace it is; `fluxctl install` prints what installs it",
    );
  }
  if (others.length > 0) {
    const names = [pod, ...others].map(nameOf).join(", ");
    return failed(
      subject,
      `there is more than one pod of fluxd in namespace ${namespace}: ${names}`,
      "let one fluxd run for a repository; --k8s-fwd-labels chooses by labels",
    );
  }
  return stateOf(pod, namespace);
}

/** The service account of a pod. */
export function accountOf(pod: unknown): string {
  const spec = isJsonObject(pod) ? objectIn(pod, "spec") : {};
  return textIn(spec, "serviceAccountName") || "default";
}

function stateOf(pod: JsonObject, namespace: string): Finding {
  const name = nameOf(pod);
  const status = objectIn(pod, "status");
  const containers = objectsIn(status, "containerStatuses");
  const stuck = containers.flatMap((container) => reasonOf(objectIn(container, "state")));
  const [reason] = stuck;
  if (reason !== undefined) {
    return failed(subject, `pod ${name} does not run: ${reason}`, adviceOn(reason, name, namespace));
  }
  if (containers.length > 0 && containers.every((container) => container["ready"] === true)) {
    const restarts = Math.max(...containers.map((container) => Number(container["restartCount"] ?? 0)));
    const images = containers.map((container) => textIn(container, "image")).join(", ");
    const found = `pod ${name} in ${namespace} is ready; it runs ${images}`;
    return restarts === 0
      ? passed(subject, found)
      : warning(subject, `${found}, and was started again ${times(restarts)}`, logsOf(name, namespace, true));
  }
  const unmet = objectsIn(status, "conditions").find((each) => textIn(each, "reason") === "Unschedulable");
  return unmet === undefined
    ? failed(
        subject,
        `pod ${name} is not ready (${textIn(status, "phase") || "its state is unknown"})`,
        `wait a moment, and see its log: ${logsOf(name, namespace, false)}`,
      )
    : failed(
        subject,
        `pod ${name} finds no node: ${textIn(unmet, "message")}`,
        "make room for it, or mend what its Deployment asks of nodes",
      );
}

/** Why a container waits or has ended, where it is stuck; not where it is just being made. */
function reasonOf(state: JsonObject): readonly string[] {
  const waiting = objectIn(state, "waiting");
  const terminated = objectIn(state, "terminated");
  const reason = textIn(waiting, "reason") || textIn(terminated, "reason");
  const message = textIn(waiting, "message") || textIn(terminated, "message");
  if (reason === "" || reason === "ContainerCreating" || reason === "PodInitializing") {
    return [];
  }
  return [message === "" ? reason : `${reason}: ${message}`];
}

function adviceOn(reason: string, pod: string, namespace: string): string {
  if (/^(ImagePullBackOff|ErrImagePull|InvalidImageName|ErrImageNeverPull)/.test(reason)) {
    return "see that the image of its Deployment is there, and that the cluster may pull it";
  }
  return /^(CrashLoopBackOff|Error|Completed|OOMKilled)/.test(reason)
    ? `see why it ended: ${logsOf(pod, namespace, true)}`
    : `see what keeps it: kubectl describe pod -n ${namespace} ${pod}`;
}

function logsOf(pod: string, namespace: string, previous: boolean): string {
  return `kubectl logs -n ${namespace} ${pod}${previous ? " --previous" : ""}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function isLeaving(pod: JsonObject): boolean {
  return "deletionTimestamp" in objectIn(pod, "metadata");
}

function nameOf(pod: JsonObject): string {
  return textIn(objectIn(pod, "metadata"), "name");
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function objectsIn(object: JsonObject, key: string): readonly JsonObject[] {
  const value: JsonValue | undefined = object[key];
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}
