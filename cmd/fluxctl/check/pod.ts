import type { V1ContainerState, V1Pod } from "@kubernetes/client-node";
import { type Finding, failed, passed, warning } from "@weir/base";

const subject = "pod";

/** Finding on fluxd's status, from the pods with its labels. */
export function podFinding(pods: readonly V1Pod[], namespace: string, selectors: readonly string[]): Finding {
  const [pod, ...others] = pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
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
export function accountOf(pod: V1Pod | undefined): string {
  return (pod?.spec?.serviceAccountName ?? "") || "default";
}

function stateOf(pod: V1Pod, namespace: string): Finding {
  const name = nameOf(pod);
  const { containerStatuses: containers = [], conditions = [], phase = "" } = pod.status ?? {};
  const stuck = containers.flatMap(({ state }) => reasonOf(state));
  const [reason] = stuck;
  if (reason !== undefined) {
    return failed(subject, `pod ${name} is not running: ${reason}`, adviceOn(reason, name, namespace));
  }
  if (containers.length > 0 && containers.every(({ ready }) => ready)) {
    const restarts = Math.max(...containers.map(({ restartCount }) => restartCount));
    const images = containers.map(({ image }) => image).join(", ");
    const found = `pod ${name} in ${namespace} is ready and runs ${images}`;
    return restarts === 0
      ? passed(subject, found)
      : warning(subject, `${found}, but has restarted ${times(restarts)}`, logsOf(name, namespace, true));
  }
  const unmet = conditions.find(({ reason: why }) => why === "Unschedulable");
  return unmet === undefined
    ? failed(
        subject,
        `pod ${name} is not ready (${phase || "its state is unknown"})`,
        `wait a moment, or check its log: ${logsOf(name, namespace, false)}`,
      )
    : failed(
        subject,
        `pod ${name} cannot be scheduled: ${unmet.message ?? ""}`,
        "free up resources for it, or change the node requirements in its Deployment",
      );
}

/** Why a container is stuck waiting or has ended; empty while it's just being created. */
function reasonOf({ waiting, terminated }: V1ContainerState = {}): readonly string[] {
  const reason = (waiting?.reason ?? "") || (terminated?.reason ?? "");
  const message = (waiting?.message ?? "") || (terminated?.message ?? "");
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

function nameOf({ metadata }: V1Pod): string {
  return metadata?.name ?? "";
}
