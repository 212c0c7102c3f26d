import { compareGoStrings, type Environment, JsonReader, type JsonValue, messageOf } from "@weir/base";
import { corePath } from "@weir/kube";
import {
  createRestClient,
  KubeConfigError,
  loadKubeConfig,
  type PortForward,
  type PortForwardOptions,
  portForward,
  readKubeConfig,
} from "@weir/kube/client";
import type { ClusterCredentials, RestClient } from "@weir/kube/rest";
import { ForwardError } from "./forward-error.ts";
import type { GlobalFlags } from "./globals.ts";

/** What pods of older installs are called. */
const olderPods = "name in (flux,fluxd,weave-flux-agent)";
const daemonPort = 3030;

/**
 * Forwards a free port of this machine to the one pod that runs the daemon. It is looked for by the labels
 * given, then by the names of older installs. Rejects with ForwardError where there is none, or more than one.
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

/** By which labels the daemon's pod is looked for; the first that finds one counts. */
export function podSelectors({ forwardLabels }: GlobalFlags): readonly string[] {
  return [printSelector(forwardLabels.value), olderPods];
}

async function openForward(options: PortForwardOptions): Promise<PortForward> {
  const { namespace, pod } = options;
  try {
    return await portForward(options);
  } catch (error) {
    const advice = [
      `Forwarding a port takes the right to create pods/portforward in namespace "${namespace}": kubectl auth can-i create pods/portforward -n ${namespace}`,
      `Or forward it yourself and say where: kubectl port-forward -n ${namespace} pod/${pod} ${daemonPort} & fluxctl --url=http://localhost:${daemonPort}/api/flux ...`,
    ];
    throw new ForwardError(`Could not create port forward: ${messageOf(error)}`, advice, { cause: error });
  }
}

/** Who we are to the cluster of a kubeconfig's context, the current one where it is "". Rejects with ForwardError. */
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
    const reason = (await isEmptyKubeConfig(env)) ? noConfiguration : error.message;
    const advice = [
      "fluxctl looks for fluxd through the cluster of the kubeconfig: $KUBECONFIG, or ~/.kube/config; --context chooses one of its contexts.",
      "Or say where fluxd's API is with --url (or FLUX_URL).",
    ];
    throw new ForwardError(`Could not load kubernetes configuration file: ${reason}`, advice, {
      cause: error,
    });
  }
}

const noConfiguration =
  "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";

async function isEmptyKubeConfig(env: Environment): Promise<boolean> {
  try {
    const { clusters, contexts } = await readKubeConfig({ env });
    return clusters.size === 0 && contexts.size === 0;
  } catch {
    return false;
  }
}

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
          `They are ${[pod, ...others].join(", ")}, in namespace "${namespace}".`,
          "Name labels that only one of them has with --k8s-fwd-labels, e.g. --k8s-fwd-labels=app=flux,release=main",
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

/** Where else there are such pods, as far as one may know that. */
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
          `There is such a pod in namespace "${each}": use --k8s-fwd-ns=${each}, or set FLUX_FORWARD_NAMESPACE.`,
      )
    : [
        "--context (now the current one of the kubeconfig, unless it was given) chooses the cluster, --k8s-fwd-ns the namespace and --k8s-fwd-labels the pod.",
        `To see what runs there: kubectl get pods -n ${namespace} --show-labels`,
      ];
}

/** The namespaces of running pods; none where they may not be listed. */
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
        `To find fluxd one must be able to list pods: kubectl auth can-i list pods -n ${namespace}`,
        "--context chooses the cluster; --url (or FLUX_URL) leads to fluxd without it.",
      ],
      { cause: error },
    );
  }
}
