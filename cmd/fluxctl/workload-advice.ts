import { Deadline } from "@weir/base";
import { suggest } from "@weir/cli";
import type { ApiClient } from "../../src/api/client/client.ts";
import { partsOfResourceId, type ResourceId } from "../../src/resource/id.ts";
import { didYouMean } from "./advice.ts";
import type { CommandContext } from "./command.ts";

/** How long the daemon may take to say what there is, in milliseconds. */
const askFor = 3_000;

/** Of more names than these nobody wants to read. */
const shownNames = 10;

/** For a person before a screen: which of the workloads asked for the cluster has not got, and what may be meant. */
export async function adviceOnWorkloads(
  asked: readonly ResourceId[],
  client: ApiClient,
  context: CommandContext,
): Promise<readonly string[]> {
  const ids = await workloadsThere(client, context);
  return ids === undefined ? [] : asked.flatMap((id) => (ids.includes(id) ? [] : unknownWorkload(id, ids)));
}

/** For a person before a screen: that a namespace has no workloads, and which have. */
export async function adviceOnNamespace(
  namespace: string,
  client: ApiClient,
  context: CommandContext,
): Promise<readonly string[]> {
  const ids = await workloadsThere(client, context);
  return ids === undefined ? [] : emptyNamespace(namespace, ids);
}

/** What to say of a workload that is not among those that there are. */
export function unknownWorkload(id: ResourceId, ids: readonly ResourceId[]): readonly string[] {
  const { kind, name } = partsOfResourceId(id);
  const elsewhere = ids.filter((other) => other.endsWith(`:${kind}/${name}`));
  const meant = elsewhere.length > 0 ? elsewhere : suggest(id, ids);
  return [
    `The cluster has no workload ${id}.`,
    ...(meant.length === 0 ? ["To see those that there are: fluxctl list-workloads -a"] : didYouMean(meant)),
  ];
}

/** What to say of a namespace in which none of the workloads is that there are; nothing where one is. */
export function emptyNamespace(namespace: string, ids: readonly ResourceId[]): readonly string[] {
  const namespaces = [...new Set(ids.map((id) => partsOfResourceId(id).namespace))];
  if (namespaces.includes(namespace) || namespaces.length === 0) {
    return [];
  }
  const meant = suggest(namespace, namespaces);
  const shown = namespaces.slice(0, shownNames).join(", ");
  return [
    `There are no workloads in namespace "${namespace}".`,
    ...(meant.length > 0
      ? didYouMean(meant)
      : [
          `There are in ${shown}${namespaces.length > shownNames ? ", ..." : ""}; -n names one, and list-workloads -a lists all.`,
        ]),
  ];
}

/** Undefined where nobody would read it, or the daemon does not say so. */
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
