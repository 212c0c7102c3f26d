import { encodeUpdateSpec, type ResourcePreview } from "@weir/flux";
import type { InspectionClient } from "@weir/flux/client";
import type { Plan } from "../contract/jobs.ts";
import type { ReachedDaemon } from "../daemons/ports.ts";
import type { Planned } from "./planned.ts";
import { shownChanges } from "./previews.ts";

/** What a sync of everything would do, as of the last fetch. A daemon of Flux v1 can't say. */
export async function planSync(daemon: ReachedDaemon, signal: AbortSignal): Promise<Planned> {
  const inspection = await daemon.inspection(signal);
  return plannedSync(inspection === undefined ? undefined : await diffOf(inspection, signal));
}

interface Diff {
  readonly revision: string;
  readonly changes: readonly ResourcePreview[];
}

async function diffOf(inspection: InspectionClient, signal: AbortSignal): Promise<Diff> {
  const { revision, changes } = await inspection.diff({ ref: "" }, signal);
  return { revision, changes: shownChanges(changes) };
}

/** Decides what a sync that changes this does. */
export function plannedSync(diff: Diff | undefined): Planned {
  const { revision = "", changes = [] } = diff ?? {};
  return {
    changes: changes.map(rowOf),
    touches: undefined,
    substance: { sync: revision, changes: changes.map(({ id, action, error }) => [id, action, error]) },
    head: revision,
    isKnown: diff !== undefined,
    obstacle: "",
    // Otherwise, what was changed in the cluster would stay until git changes.
    toSpec: (cause) => encodeUpdateSpec({ type: "sync", cause, reapply: true }),
  };
}

function rowOf({ id, action, error, reason }: ResourcePreview): Plan["changes"][number] {
  return {
    workload: id,
    status: error === "" ? "success" : "failed",
    message: error === "" ? [words[action], reason].filter((each) => each !== "").join(": ") : error,
    containers: [],
  };
}

const words: Readonly<Record<ResourcePreview["action"], string>> = {
  create: "Is created.",
  change: "Is changed.",
  delete: "Is deleted.",
  run: "Is run.",
  leave: "Stays as it is.",
};
