/** What `fluxctl logs` does. Loaded on demand, together with the Kubernetes client. */
import { compareGoStrings } from "@weir/base";
import { parseResourceIdIn } from "@weir/flux";
import { createRestClient, KubeConfigError, loadKubeConfig } from "@weir/kube/client";
import { type ClusterCredentials, listAs, type RestClient } from "@weir/kube/rest";
import type { CommandContext } from "../command.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { explained, LogsError } from "./errors.ts";
import { followLogs, pods } from "./follow.ts";
import { printLogs } from "./once.ts";
import { Owners } from "./owners.ts";
import { type PodView, podView } from "./pod.ts";
import { type LineLook, LogPrinter } from "./printer.ts";
import type { Wanted } from "./query.ts";
import { requireContainer } from "./selection.ts";
import { findWorkload, type LoggedWorkload, loggedId } from "./workload.ts";

/** Which logs to print, and how. */
export interface LogOptions extends Wanted, LineLook {
  readonly workload: string;
  /** The namespace of a workload given without one; "" for that of the kubeconfig. */
  readonly namespace: string;
  /** "" for all containers. */
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  /** How many containers are followed at the same time. */
  readonly streams: number;
}

/** API servers answer a request for the log of a silent container only when it says something. */
const silenceMs = 24 * 60 * 60 * 1000;

/** Prints the logs of a workload's pods. Rejects with LogsError or UsageError. */
export async function showLogs(options: LogOptions, context: CommandContext): Promise<void> {
  const { clock, signal } = context;
  const id = loggedId(parseResourceIdIn(await namespaceOr(options.namespace, context), options.workload));
  const credentials = await loadCredentials(context);
  const client = createRestClient({ credentials, userAgent: "fluxctl", timeoutMs: 30_000 });
  const logClient = createRestClient({ credentials, userAgent: "fluxctl", timeoutMs: silenceMs });
  try {
    const workload = await context.waitFor(`the workload ${id}`, () => findWorkload(client, id, signal));
    const printer = new LogPrinter(options, context);
    const { container, previous, streams } = options;
    if (options.follow) {
      const world = { client, logClient, clock, printer };
      await followLogs({ workload, wanted: options, container, streams }, world, signal);
      return;
    }
    const found = await context.waitFor("the list of pods", () => listPods(client, workload, signal));
    requireContainer(found, container);
    const world = { client, logClient, clock, printer };
    if (!(await printLogs(found, { wanted: options, container, previous }, world, signal))) {
      context.exitWith(1);
    }
  } finally {
    await Promise.all([client.close(), logClient.close()]);
  }
}

/** The credentials of the kubeconfig's context. Rejects with LogsError. */
async function loadCredentials({ globals, env, signal }: CommandContext): Promise<ClusterCredentials> {
  const context = globals.context.value;
  try {
    return await loadKubeConfig({ env, signal, ...(context === "" ? {} : { context }) });
  } catch (error) {
    if (!(error instanceof KubeConfigError)) {
      throw error;
    }
    const reason = error.isEmpty ? "there is none" : error.message;
    throw new LogsError(
      `logs are read from the cluster's API server, which needs a kubeconfig: ${reason}`,
      [
        "Set KUBECONFIG, or write ~/.kube/config; to select another context, use --context.",
        "fluxd's API (--url) has no logs: they are read with your own permissions, not those of fluxd.",
      ],
      { cause: error },
    );
  }
}

/** The pods of a workload, by name. Rejects with LogsError, also if there are none. */
async function listPods(
  client: RestClient,
  workload: LoggedWorkload,
  signal: AbortSignal,
): Promise<readonly PodView[]> {
  const { id, namespace, podSelector: labelSelector } = workload;
  const owners = new Owners(client, workload);
  const found: PodView[] = [];
  try {
    const { objects } = await listAs({ client, resource: pods, namespace, labelSelector, signal }, podView);
    for (const pod of objects) {
      if (await owners.owns(pod, signal)) {
        found.push(pod);
      }
    }
  } catch (error) {
    throw explained(error, { right: "list pods", namespace });
  }
  if (found.length === 0) {
    throw new LogsError(`${id} has no pods now`, [
      "To wait for pods, use --follow. To see why there are none: fluxctl tree --unhealthy",
    ]);
  }
  return found.toSorted((a, b) => compareGoStrings(a.name, b.name));
}
