import { type ResourceId, type ResourcePreview, readResourceId } from "@weir/flux";
import type { InspectionClient } from "@weir/flux/client";
import type { Actor } from "../access/actor.ts";
import type { Answer } from "../contract/schemas.ts";
import { askDaemon, dryRunTimeLimit, requireInspection } from "./ask.ts";
import { fluxBlockers, visibleBlockers, weirBlockers } from "./blockers.ts";
import type { Handlers } from "./call.ts";
import type { OperationOptions } from "./options.ts";
import { syncedOf } from "./plan-take-over.ts";
import { shownChanges, unifiedDiff } from "./previews.ts";
import { mayReach } from "./rights.ts";
import { namespacesOf } from "./touched.ts";

type Drift = Answer<"drift">["rows"][number];

/** Of how many objects it's found out who changed them, which takes a question each. */
const mostAsked = 10;

/** Says how the cluster of an instance differs from git, and what keeps that so. */
export function clusterHandlers(options: OperationOptions): Pick<Handlers, "blockers" | "drift"> {
  return {
    blockers: async ({ actor, path: { instance: instanceId }, signal }) => {
      const found = await askDaemon({ ...options, instanceId, signal }, async (daemon, within) => {
        const inspection = await daemon.inspection(within);
        return inspection === undefined
          ? fluxBlockers(
              await daemon.api.gitRepoConfig(false, within),
              await daemon.api.listWorkloads({ namespace: "", workloads: [] }, within),
            )
          : weirBlockers(await inspection.status({ fetch: false, brief: false }, within));
      });
      return { rows: visibleBlockers(found, (ids) => maySee(actor, instanceId, ids)) };
    },
    drift: async ({ actor, path: { instance: instanceId }, signal }) =>
      askDaemon({ ...options, instanceId, signal, timeLimit: dryRunTimeLimit }, async (daemon, within) => {
        const inspection = await requireInspection(daemon, "Comparing the cluster with git", within);
        const ref = await syncedOf(inspection, within);
        const { revision, changes } = await inspection.diff({ ref }, within);
        const visible = shownChanges(changes).filter(
          ({ id, action }) => action !== "run" && maySee(actor, instanceId, [id]),
        );
        const writers = await writersOf(visible, inspection, within);
        return { revision, rows: visible.map((change) => driftOf(change, writers.get(change.id) ?? [])) };
      }),
  };
}

/** True if somebody may see resources; those without a namespace belong to the instance as a whole. */
function maySee(actor: Actor, instanceId: string, ids: readonly ResourceId[]): boolean {
  return mayReach(actor, "viewer", { instanceId, namespaces: namespacesOf(ids) });
}

/** Decides how an object that a sync would change is shown. */
export function driftOf({ id, before, after }: ResourcePreview, by: readonly string[]): Drift {
  return {
    id,
    kind: before === null ? "missing" : after === null ? "extra" : "changed",
    diff: unifiedDiff(id, { label: "live", object: before }, { label: "git", object: after }),
    by: [...by],
  };
}

/** Who wrote what differs, by object. What can't be found out is left out: the difference matters more. */
async function writersOf(
  changes: readonly ResourcePreview[],
  inspection: InspectionClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<ResourceId, readonly string[]>> {
  const writers = new Map<ResourceId, readonly string[]>();
  const changed = changes.filter(({ action }) => action === "change").slice(0, mostAsked);
  for (const { id } of changed.filter((each) => readResourceId(each.id) !== undefined)) {
    const report = await inspection.why({ subject: id, namespace: "" }, signal).catch(() => undefined);
    signal.throwIfAborted();
    const differences = report?.kind === "resource" ? report.differences : [];
    writers.set(id, [...new Set(differences.flatMap(({ writer }) => writer?.manager ?? []))]);
  }
  return writers;
}
