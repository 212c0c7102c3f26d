import { Deadline } from "@weir/base";
import { suggest } from "@weir/cli";
import { partsOfResourceId, type ResourceId } from "@weir/flux";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";
import { didYouMean } from "./on-errors.ts";

/** The time limit for the daemon to list workloads, in milliseconds. */
const askFor = 3_000;

/** The maximum number of names to show. */
const shownNames = 10;

/** For a person at a terminal: which of the requested workloads don't exist, and what may be meant. */
export async function adviceOnWorkloads(
  asked: readonly ResourceId[],
  client: ApiClient,
  context: CommandContext,
): Promise<readonly string[]> {
  const ids = await workloadsThere(client, context);
  return ids === undefined ? [] : asked.flatMap((id) => (ids.includes(id) ? [] : unknownWorkload(id, ids)));
}

/** For a person at a terminal: that a namespace has no workloads, and which namespaces do. */
export async function adviceOnNamespace(
  namespace: string,
  client: ApiClient,
  context: CommandContext,
): Promise<readonly string[]> {
  const ids = await workloadsThere(client, context);
  return ids === undefined ? [] : emptyNamespace(namespace, ids);
}

/** The advice for a workload that doesn't exist. */
export function unknownWorkload(id: ResourceId, ids: readonly ResourceId[]): readonly string[] {
  const { kind, name } = partsOfResourceId(id);
  const elsewhere = ids.filter((other) => other.endsWith(`:${kind}/${name}`));
  const meant = elsewhere.length > 0 ? elsewhere : suggest(id, ids);
  return [
    `The cluster doesn't have a workload ${id}.`,
    ...(meant.length === 0 ? ["To list all workloads: fluxctl list-workloads -a"] : didYouMean(meant)),
  ];
}

/** The advice for a namespace without workloads; empty if it has one. */
export function emptyNamespace(namespace: string, ids: readonly ResourceId[]): readonly string[] {
  const namespaces = [...new Set(ids.map((id) => partsOfResourceId(id).namespace))];
  if (namespaces.includes(namespace) || namespaces.length === 0) {
    return [];
  }
  const meant = suggest(namespace, namespaces);
  const shown = namespaces.slice(0, shownNames).join(", ");
  const others = namespaces.length > shownNames ? `, and ${namespaces.length - shownNames} more` : "";
  return [
    `There are no workloads in namespace "${namespace}".`,
    ...(meant.length > 0
      ? didYouMean(meant)
      : [
          `There are workloads in ${shown}${others}. To select a namespace, use -n; to list all workloads, use list-workloads -a.`,
        ]),
  ];
}

/** Undefined if there is no terminal, or if the daemon doesn't respond. */
async function workloadsThere(
  client: ApiClient,
  { errScreen, clock, signal }: CommandContext,
): Promise<readonly ResourceId[] | undefined> {
  if (errScreen === undefined) {
    return undefined;
  }
  using deadline = new Deadline(clock, askFor, signal);
  try {
    const workloads = await client.listWorkloads({ namespace: "", workloads: [] }, deadline.signal);
    return workloads.map(({ id }) => id);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
