import { encodeUndoRequest, type UndoPlan } from "@weir/flux/api";
import type { JobSpec } from "../contract/jobs.ts";
import type { ReachedDaemon } from "../daemons/ports.ts";
import { Problem } from "../problem/problem.ts";
import { requireInspection } from "./ask.ts";
import type { Planned } from "./planned.ts";

type Undo = Extract<JobSpec, { kind: "undo" }>;

/** Whoever wants it is added when it's done. */
const nobody = { user: "", message: "" };

/** What undoing a commit would do. */
export async function planUndo(
  { revision }: Undo,
  daemon: ReachedDaemon,
  signal: AbortSignal,
): Promise<Planned> {
  const inspection = await requireInspection(daemon, "Undoing a commit", signal);
  const request = { cause: nobody, commit: revision, resource: "", allowDelete: false } as const;
  const { plan } = await inspection.undo({ ...request, dryRun: true }, signal);
  if (plan === undefined) {
    throw new Problem("unavailable", "The daemon doesn't say what undoing the commit would do.", {
      advice: "Upgrade the daemon to the version of this console.",
    });
  }
  return plannedUndo(plan);
}

/** Decides what an undo is, by what the daemon says. */
export function plannedUndo({ revision, head, resources, locks, files }: UndoPlan): Planned {
  const request = { commit: revision, resource: "", allowDelete: false, dryRun: false } as const;
  return {
    changes: resources.map(({ id, what }) => ({
      workload: id,
      status: "success",
      message: `Is ${what} in git${locks.includes(id) ? ", and locked, so that automation doesn't repeat it" : ""}.`,
      containers: [],
    })),
    touches: [...resources.map(({ id }) => id), ...locks],
    substance: {
      undo: revision,
      resources: resources.map(({ id, what }) => [id, what]),
      locks: [...locks],
      files: files.map(({ path, diff }) => [path, diff]),
    },
    head,
    isKnown: true,
    obstacle: resources.length === 0 ? "the commit changed no manifest" : "",
    toSpec: (cause) => encodeUndoRequest({ ...request, cause }),
  };
}
