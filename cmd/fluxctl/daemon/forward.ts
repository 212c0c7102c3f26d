import { compareGoStrings, type Environment, JsonReader, type JsonValue, messageOf } from "@weir/base";
import { corePath } from "@weir/kube";
import {
  createRestClient,
  KubeConfigError,
  loadKubeConfig,
  type PortForward,
  type PortForwardOptions,
  portForward,
} from "@weir/kube/client";
import type { ClusterCredentials, RestClient } from "@weir/kube/rest";
import type { GlobalFlags } from "../flags/globals.ts";
import { ForwardError } from "./forward-error.ts";

/** The names of pods in older installations. */
const olderPods = "name in (flux,fluxd,weave-flux-agent)";
const daemonPort = 3030;

/**
 * Forwards a free local port to the pod that runs the daemon. The pod is found by the given labels, or by the
 * names of older installations. Rejects with ForwardError if there is no such pod, or more than one.
 */
export async function forwardToDaemon(
  flags: GlobalFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<PortForward> {
  const credentials = await loadCredentials(flags.context.value, env, signal);
  const namespace = flags.forwardNamespace.value;
  const selectors = podSelectors(flags);
  const client = createRestClient({ credentials, userAgent: "fluxctl", timeoutMs: 30_000 });
  try {
    const pod = await findDaemonPod(client, namespace, selectors, signal);
    return await openForward({ credentials, userAgent: "fluxctl", namespace, pod, port: daemonPort, signal });
  } finally {
    await client.close();
  }
}

/** The label selectors for the daemon's pod; the first one with a match counts. */
export function podSelectors({ forwardLabels }: GlobalFlags): readonly string[] {
  return [printSelector(forwardLabels.value), olderPods];
}

async function openForward(options: PortForwardOptions): Promise<PortForward> {
  const { namespace, pod } = options;
  try {
    return await portForward(options);
  } catch (error) {
    const advice = [
      `Port forwarding requires permission to create pods/portforward in namespace "${namespace}". To check: kubectl auth can-i create pods/portforward -n ${namespace}`,
      `Or forward the port yourself and use --url: kubectl port-forward -n ${namespace} pod/${pod} ${daemonPort} & fluxctl --url=http://localhost:${daemonPort}/api/flux ...`,
    ];
    throw new ForwardError(`Could not create port forward: ${messageOf(error)}`, advice, { cause: error });
  }
}

/**
 * The credentials for the cluster of a kubeconfig's context, the current one if it's "". Rejects with
 * ForwardError.
 */
export async function loadCredentials(
  context: string,
  env: Environment,
  signal: AbortSignal,
): Promise<ClusterCredentials> {
  try {
    return await loadKubeConfig({ env, signal, ...(context === "" ? {} : { context }) });
  } catch (error) {
    if (!(error instanceof KubeConfigError)) {
      throw error;
    }
    const reason = error.isEmpty ? noConfiguration : error.message;
    const advice = [
      "fluxctl finds fluxd through the cluster in the kubeconfig ($KUBECONFIG or ~/.kube/config); to select another context, use --context.",
      "Or specify the URL of fluxd's API with --url (or FLUX_URL).",
    ];
    throw new ForwardError(`Could not load kubernetes configuration file: ${reason}`, advice, {
      cause: error,
    });
  }
}

const noConfiguration =
  "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";

function printSelector(labels: ReadonlyMap<string, string>): string {
  return [...labels]
    .toSorted(([a], [b]) => compareGoStrings(a, b))
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

async function findDaemonPod(
  client: RestClient,
  namespace: string,
  selectors: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  for (const selector of selectors) {
    const [pod, ...others] = await runningPods(client, namespace, selector, signal);
    if (others.length > 0) {
      throw new ForwardError(
        `Could not create a dialer: Could not get pod name: Ambiguous pod: found more than one pod for selector: labels "${selector}"`,
        [
          `The pods in namespace "${namespace}" are ${[pod, ...others].join(", ")}.`,
          "Use --k8s-fwd-labels with labels that only one of them has, e.g. --k8s-fwd-labels=app=flux,release=main",
        ],
      );
    }
    if (pod !== undefined) {
      return pod;
    }
  }
  throw new ForwardError(
    noPod(namespace, selectors),
    await adviceWithoutPod(client, namespace, selectors, signal),
  );
}

/** Other namespaces with such pods, as far as permissions allow. */
async function adviceWithoutPod(
  client: RestClient,
  namespace: string,
  selectors: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await Promise.all(selectors.map((selector) => podsEverywhere(client, selector, signal)));
  const elsewhere = [...new Set(found.flat())].filter((each) => each !== namespace);
  return elsewhere.length > 0
    ? elsewhere.map(
        (each) =>
          `Namespace "${each}" has such a pod: use --k8s-fwd-ns=${each}, or set FLUX_FORWARD_NAMESPACE.`,
      )
    : [
        "Use --context to select another cluster (default: the current context), --k8s-fwd-ns for the namespace, and --k8s-fwd-labels for the pod.",
        `To list the pods there: kubectl get pods -n ${namespace} --show-labels`,
      ];
}

/** The namespaces of running pods; empty without permission to list them. */
async function podsEverywhere(
  client: RestClient,
  labelSelector: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = { fieldSelector: "status.phase=Running", labelSelector };
  try {
    const answer = await client.json({ method: "GET", path: "/api/v1/pods", query, signal });
    const list = new JsonReader(answer as JsonValue);
    return (
      list.list("items", (pod, at) => new JsonReader(pod, at).object("metadata").text("namespace")) ?? []
    );
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function noPod(namespace: string, selectors: readonly string[]): string {
  return `No pod found in namespace "${namespace}" using the following selectors:
${selectors.map((selector) => `  ${selector}`).join("\n")}

Make sure Flux is running in namespace "${namespace}".
If Flux is running in another different namespace, please supply it to --k8s-fwd-ns.`;
}

async function runningPods(
  client: RestClient,
  namespace: string,
  labelSelector: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = { fieldSelector: "status.phase=Running", labelSelector };
  try {
    const path = corePath(namespace, "pods");
    const list = new JsonReader((await client.json({ method: "GET", path, query, signal })) as JsonValue);
    return list.list("items", (pod, at) => new JsonReader(pod, at).object("metadata").text("name")) ?? [];
  } catch (error) {
    throw new ForwardError(
      `Could not create a dialer: Could not get pod name: Listing pods in kubernetes: ${messageOf(error)}`,
      [
        `To find fluxd, you need permission to list pods. To check: kubectl auth can-i list pods -n ${namespace}`,
        "To select another cluster, use --context; to connect without the cluster, use --url (or FLUX_URL).",
      ],
      { cause: error },
    );
  }
}
