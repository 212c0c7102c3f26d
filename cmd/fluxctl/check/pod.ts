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

/** Finding on fluxd's status, from the pods with its labels. */
export function podFinding(
  pods: readonly unknown[],
  namespace: string,
  selectors: readonly string[],
): Finding {
  const [pod, ...others] = pods.filter(isJsonObject).filter((each) => !isLeaving(each));
  if (pod === undefined) {
    return failed(
      subject,
      `no fluxd pod in namespace ${namespace} has the labels ${selectors.join(" or ")}`,
      "use --k8s-fwd-ns to specify its namespace; to install fluxd, apply the output of `fluxctl install`",
    );
  }
  if (others.length > 0) {
    const names = [pod, ...others].map(nameOf).join(", ");
    return failed(
      subject,
      `namespace ${namespace} has more than one fluxd pod: ${names}`,
      "run only one fluxd per repository, or use --k8s-fwd-labels to select one",
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
    return failed(subject, `pod ${name} is not running: ${reason}`, adviceOn(reason, name, namespace));
  }
  if (containers.length > 0 && containers.every((container) => container["ready"] === true)) {
    const restarts = Math.max(...containers.map((container) => Number(container["restartCount"] ?? 0)));
    const images = containers.map((container) => textIn(container, "image")).join(", ");
    const found = `pod ${name} in ${namespace} is ready and runs ${images}`;
    return restarts === 0
      ? passed(subject, found)
      : warning(subject, `${found}, but has restarted ${times(restarts)}`, logsOf(name, namespace, true));
  }
  const unmet = objectsIn(status, "conditions").find((each) => textIn(each, "reason") === "Unschedulable");
  return unmet === undefined
    ? failed(
        subject,
        `pod ${name} is not ready (${textIn(status, "phase") || "its state is unknown"})`,
        `wait a moment, or check its log: ${logsOf(name, namespace, false)}`,
      )
    : failed(
        subject,
        `pod ${name} cannot be scheduled: ${textIn(unmet, "message")}`,
        "free up resources for it, or change the node requirements in its Deployment",
      );
}

/** Why a container is stuck waiting or has ended; empty while it's just being created. */
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
    return "make sure that the image in its Deployment exists and that the cluster can pull it";
  }
  return /^(CrashLoopBackOff|Error|Completed|OOMKilled)/.test(reason)
    ? `check why it exited: ${logsOf(pod, namespace, true)}`
    : `check why it doesn't start: kubectl describe pod -n ${namespace} ${pod}`;
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
