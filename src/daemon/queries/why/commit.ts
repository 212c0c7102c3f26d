import { messageOf } from "@weir/base";
import type { Cluster, ResourceId } from "@weir/flux";
import type { CommitAnswer, Suspension, WhyCause, WhyChange, WhySync } from "@weir/flux/api";
import type { CommitDetails, ResourceSet } from "../../ports.ts";
import type { InspectionDependencies } from "../inspected-set.ts";
import { brief, cause, quote, run, short, tell } from "./cause.ts";
import { storyOf } from "./commit-story.ts";
import { again, gitCause, suspendedSyncs } from "./resource-causes.ts";
import type { World } from "./world.ts";

/** What a commit changed, and what became of that; undefined if there's no such commit. */
export async function whyCommit(
  name: string,
  world: World,
  deps: CommitDependencies,
  signal: AbortSignal,
): Promise<CommitAnswer | undefined> {
  const { repo, settings } = deps;
  const details = await repo.commit(name, signal).catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
  if (details === undefined) {
    return undefined;
  }
  const { revision } = details;
  const { sync } = world;
  const branch = await repo.branchHead(signal);
  const isIn = async (later: string): Promise<boolean> =>
    later !== "" && (await repo.commitsBetween(later, revision, [], signal)).length === 0;
  const [isOnBranch, isVerified, isSynced] = await Promise.all([
    isIn(branch),
    isIn(sync.head),
    isIn(sync.synced),
  ]);
  const { changes, problem } = await changesOf(details, isVerified, deps, signal);
  const errors = deps.cluster.syncErrors();
  const facts = {
    revision,
    branch: settings.branch,
    isOnBranch,
    isSynced,
    verified: deps.heads === undefined ? "not required" : isVerified ? "yes" : "no",
    changes: changes.map((each) => ({ ...each, error: isSynced ? brief(errors.get(each.id) ?? "") : "" })),
    problem,
    sync,
    suspensions: world.suspensions,
  } as const;
  return {
    kind: "commit",
    subject: revision,
    verdict: verdictOf(facts),
    causes: [...world.problems.map((each) => gitCause(each, sync)), ...commitCauses(facts)],
    commit: await storyOf(details, repo, signal),
    sync,
    isOnBranch,
    isSynced,
    verified: facts.verified,
    changes: facts.changes,
    problem,
  };
}

export interface CommitDependencies extends InspectionDependencies {
  readonly cluster: Pick<Cluster, "syncErrors">;
}

/** What's known about a commit. */
export interface CommitFacts
  extends Pick<CommitAnswer, "isOnBranch" | "isSynced" | "verified" | "changes" | "problem"> {
  readonly revision: string;
  readonly branch: string;
  readonly sync: WhySync;
  readonly suspensions: readonly Suspension[];
}

/** What holds a commit up. Pure. */
export function commitCauses(facts: CommitFacts): readonly WhyCause[] {
  const { revision, branch, isOnBranch, isSynced, verified, sync, changes, suspensions } = facts;
  if (!isOnBranch) {
    return [
      cause("not-on-branch", "sync", {
        message: `it is not on branch ${branch}, which is all that fluxd syncs`,
        remedies: [
          tell(`merge it into ${branch}`),
          run(`fluxctl diff --ref=${short(revision)}`, "to see what it would change"),
        ],
      }),
    ];
  }
  if (isSynced) {
    return changes
      .filter(({ error }) => error !== "")
      .map(({ id, error, source }) =>
        cause("refused", "sync", {
          message: `${id} (${source}) was not applied: ${brief(error)}`,
          remedies: [run(`fluxctl why ${quote(id)}`)],
        }),
      );
  }
  if (verified === "no") {
    // The problem of the branch says which commit isn't signed.
    return [];
  }
  const suspended = suspendedSyncs(suspensions);
  if (suspended.length > 0) {
    return suspended;
  }
  switch (sync.state) {
    case "waiting":
      return [
        cause("waiting", "sync", {
          message: `the sync waits until ${sync.waitingFor.join(", ")} ${sync.waitingFor.length === 1 ? "is" : "are"} ready`,
          remedies: sync.waitingFor.slice(0, 1).map((id) => run(`fluxctl why ${quote(id)}`)),
        }),
      ];
    case "failing":
      return [
        cause("sync-failed", "sync", {
          message: `the last sync failed: ${brief(sync.failures.join("; "))}`,
          remedies: [again, run("fluxctl check")],
        }),
      ];
    case "synced":
    case "pending":
    case "never":
      return [
        cause("sync-pending", "sync", {
          message: "fluxd applies it with its next sync",
          remedies: [run("fluxctl sync", "to sync now")],
        }),
      ];
  }
}

function verdictOf({
  revision,
  branch,
  isOnBranch,
  isSynced,
  verified,
  changes,
  problem,
}: CommitFacts): string {
  const count = problem === "" ? `${changes.length} resource${changes.length === 1 ? "" : "s"}` : "resources";
  const name = `Commit ${short(revision)}`;
  if (!isOnBranch) {
    return `${name} is not on branch ${branch}, so it is not synced.`;
  }
  if (!isSynced) {
    return verified === "no"
      ? `${name} is not synced: it is not verified.`
      : `${name} changes ${count}, and is not synced yet.`;
  }
  const refused = changes.filter(({ error }) => error !== "").length;
  return `${name} changed ${count}, and is synced${refused === 0 ? "" : `, but ${refused} of them failed`}.`;
}

type Changes = Pick<CommitAnswer, "problem"> & {
  readonly changes: readonly Omit<WhyChange, "error">[];
};

/** The resources that the commit changed, compared with its first parent. */
async function changesOf(
  { revision, parents }: CommitDetails,
  isVerified: boolean,
  { manifests, settings }: CommitDependencies,
  signal: AbortSignal,
): Promise<Changes> {
  if (settings.manifestGeneration && !isVerified) {
    return {
      changes: [],
      problem: "generators run commands, so only commits that fluxd would sync are looked into",
    };
  }
  try {
    const [parent] = parents;
    const before = parent === undefined ? new Map() : (await manifests.at(parent, signal)).resources;
    return { changes: compare(before, (await manifests.at(revision, signal)).resources), problem: "" };
  } catch (error) {
    signal.throwIfAborted();
    return { changes: [], problem: brief(messageOf(error)) };
  }
}

/** The differences between two sets of resources, by ID. Pure. */
export function compare(before: ResourceSet, after: ResourceSet): Changes["changes"] {
  const ids: readonly ResourceId[] = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return ids.flatMap((id) => {
    const [old, now] = [before.get(id), after.get(id)];
    if (old?.bytes === now?.bytes) {
      return [];
    }
    const change = old === undefined ? "added" : now === undefined ? "removed" : "changed";
    return [{ id, change, source: (now ?? old)?.source ?? "" } as const];
  });
}
