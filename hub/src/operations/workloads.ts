import { partsOfResourceId, printImageRef, type ResourceId, type ResourceStatus } from "@weir/flux";
import type { HistoryEntry, WhyReport, WorkloadImagesReport, WorkloadStatusReport } from "@weir/flux/api";
import { type Actor, scopeOf } from "../access/actor.ts";
import type { HistoryChange, TreeNode } from "../contract/workloads.ts";
import type { ReachedDaemon } from "../daemons/ports.ts";
import { Problem } from "../problem/problem.ts";
import { findWorkload } from "../store/workloads.ts";
import { askDaemon, dryRunTimeLimit, requireInspection } from "./ask.ts";
import type { Handlers } from "./call.ts";
import { comparisonOf } from "./comparison.ts";
import { noSuchWorkload } from "./listed-workloads.ts";
import type { OperationOptions } from "./options.ts";
import { workloadNamed } from "./touched.ts";
import { imagesOf, whyOf } from "./workload-images.ts";

/** The most containers of which it's found out why they run what they run, with a question each. */
const mostContainers = 20;

/** Answers about one workload what only its daemon knows. */
export function workloadDetailHandlers(
  options: OperationOptions,
): Pick<Handlers, "workloadImages" | "why" | "tree" | "comparison" | "workloadHistory"> {
  return {
    workloadImages: async ({ actor, path, signal }) => {
      const id = await visible(options, actor, path);
      const { workload, images } = await askDaemon(
        { ...options, instanceId: path.instance, signal },
        (daemon, within) => listed(id, daemon, within),
      );
      return imagesOf(workload, images);
    },
    why: async ({ actor, path, signal }) => {
      const id = await visible(options, actor, path);
      return askDaemon({ ...options, instanceId: path.instance, signal }, async (daemon, within) => {
        const { workload, images } = await listed(id, daemon, within);
        return whyOf(workload, images, await reportsOf(workload, daemon, within));
      });
    },
    tree: async ({ actor, path, signal }) => {
      const id = await visible(options, actor, path);
      return askDaemon({ ...options, instanceId: path.instance, signal }, async (daemon, within) => {
        const inspection = await requireInspection(daemon, "Showing what a workload owns", within);
        const { namespace } = partsOfResourceId(id);
        const { resources } = await inspection.tree({ namespace }, within);
        return { roots: resources.filter((each) => each.id === id).map(nodeOf) };
      });
    },
    workloadHistory: async ({ actor, path, query: { cursor = "", limit }, signal }) => {
      const id = await visible(options, actor, path);
      const asked = { ...options, instanceId: path.instance, signal };
      return askDaemon(asked, async (daemon, within) => {
        const inspection = await requireInspection(daemon, "Showing who changed a workload in git", within);
        const { entries, next } = await inspection.history(
          { before: cursor, limit, resource: id, namespace: "", kinds: inGit, since: undefined },
          within,
        );
        return { rows: entries.flatMap((entry) => changeOf(entry) ?? []), next: next === "" ? null : next };
      });
    },
    comparison: async ({ actor, path, signal }) => {
      const id = await visible(options, actor, path);
      const asked = { ...options, instanceId: path.instance, signal, timeLimit: dryRunTimeLimit };
      return askDaemon(asked, async (daemon, within) => {
        const inspection = await requireInspection(daemon, "Comparing a workload with git", within);
        const report = await inspection.why({ subject: id, namespace: "" }, within);
        const { changes } = await inspection.diff({ ref: "" }, within);
        return comparisonOf(id, report, changes);
      });
    },
  };
}

/** A sync's entry names other resources too, and what was put back is among the events. */
const inGit = ["commit", "release", "autorelease", "policy", "undo"] as const;

function changeOf({ kind: told, at, user, revision, message }: HistoryEntry): HistoryChange | undefined {
  const kind = inGit.find((each) => each === told);
  return kind && { kind, at: at.toISOString(), user, revision, message };
}

/** Only what's listed as a workload: of other kinds, such as Secrets, nothing is asked. */
async function visible(
  { database }: OperationOptions,
  actor: Actor,
  path: { readonly instance: string; readonly workload: string },
): Promise<ResourceId> {
  const place = { instanceId: path.instance, id: path.workload };
  if ((await findWorkload(database.connection, place, scopeOf(actor))) === undefined) {
    throw noSuchWorkload(path.workload);
  }
  return workloadNamed(path.workload);
}

interface Listed {
  readonly workload: WorkloadStatusReport;
  readonly images: WorkloadImagesReport | undefined;
}

async function listed(id: ResourceId, { api }: ReachedDaemon, signal: AbortSignal): Promise<Listed> {
  const [workload] = await api.listWorkloads({ namespace: "", workloads: [id] }, signal);
  if (workload?.id !== id) {
    throw new Problem("not-found", `The daemon has no workload ${id} any more.`, {
      advice: "It may have been deleted from the cluster: look at the list of workloads.",
    });
  }
  const images = await api.listImages({ workload: id, namespace: "", fields: [] }, signal);
  return { workload, images: images.find((each) => each.id === id) };
}

/** What Weir's daemons say about each image, by container; nothing for Flux v1, and for what isn't known. */
async function reportsOf(
  { containers }: WorkloadStatusReport,
  daemon: ReachedDaemon,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WhyReport>> {
  const inspection = await daemon.inspection(signal);
  const reports = new Map<string, WhyReport>();
  for (const { name, image } of inspection === undefined ? [] : containers.slice(0, mostContainers)) {
    const subject = printImageRef(image);
    const report = await inspection?.why({ subject, namespace: "" }, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (report !== undefined) {
      reports.set(name, report);
    }
  }
  return reports;
}

function nodeOf({ id, health, message, children }: ResourceStatus): TreeNode {
  const { namespace, kind, name } = partsOfResourceId(id);
  return { kind, namespace, name, health, message, children: children.map(nodeOf) };
}
