/** What keeps a sync from happening, or a part of it. Decides only. */

import type { ResourceId } from "@weir/flux";
import {
  describeSuspensions,
  type GitConfigReport,
  type StatusReport,
  type WorkloadStatusReport,
} from "@weir/flux/api";
import type { Answer } from "../contract/schemas.ts";
import { withoutCredentials } from "../daemons/snapshot.ts";

type Blocker = Answer<"blockers">["rows"][number];

/** A blocker, and the resources that it concerns; undefined if whoever sees any part of the instance may know of it. */
export interface FoundBlocker extends Blocker {
  readonly ids: readonly ResourceId[] | undefined;
}

/** Only those that somebody may see; texts about the instance as a whole may name anything in it. */
export function visibleBlockers(
  found: readonly FoundBlocker[],
  maySee: (ids: readonly ResourceId[]) => boolean,
): Blocker[] {
  return found
    .filter(({ ids }) => ids === undefined || maySee(ids))
    .map(({ what, why, remedy }) => ({ what, why: withoutCredentials(why), remedy }));
}

/** By what a daemon of Flux v1 says. */
export function fluxBlockers(
  git: GitConfigReport,
  workloads: readonly WorkloadStatusReport[],
): readonly FoundBlocker[] {
  return [
    ...gitBlockers(git),
    ...workloads.flatMap(({ id, syncError }) =>
      syncError === ""
        ? []
        : [{ what: id, why: syncError, remedy: "Correct its manifest in git.", ids: [id] }],
    ),
  ];
}

/** By what Weir's daemon says. */
export function weirBlockers(status: StatusReport): readonly FoundBlocker[] {
  const { git, lastSync, suspensions, pending, findings, unknown } = status;
  const suspended = suspensions.filter(({ what }) => what === "sync");
  return [
    ...gitBlockers(git),
    ...describeSuspensions(suspended).map((why) => ({
      ...{ what: "Suspension", why: sentence(why), ids: undefined },
      remedy: "Resume it when the reason is gone.",
    })),
    ...(lastSync.failure === ""
      ? []
      : [
          {
            what: "The last sync",
            why: lastSync.failure,
            remedy: "Sync again once the cause is gone.",
            ids: [],
          },
        ]),
    ...lastSync.errors.map(({ id, source, error }) => ({
      ...{ what: id, why: error, ids: [id] },
      remedy: source === "" ? "" : `Correct ${source}.`,
    })),
    ...lastSync.waitingFor.map((id) => ({
      ...{
        what: id,
        why: "The sync waits until it's ready.",
        remedy: "See what keeps it from being ready.",
        ids: [id],
      },
    })),
    ...(pending?.unconfirmed ?? []).map((id) => ({
      ...{ what: id, why: "It isn't deleted before somebody confirms that.", ids: [id] },
      remedy: "Confirm it with fluxctl confirm, or put its manifest back into git.",
    })),
    ...(pending?.heldBack ?? []).map((id) => ({
      ...{ what: id, why: `It isn't deleted: ${pending?.reason ?? ""}.`, ids: [id] },
      remedy: "Confirm the deletions with fluxctl confirm, or put the manifests back into git.",
    })),
    ...findings
      .filter(({ verdict }) => verdict === "failed")
      .map(({ subject, found, advice }) => ({ what: subject, why: found, remedy: advice, ids: [] })),
    ...unknown.map((why) => ({ what: "Unknown", why: sentence(why), remedy: "", ids: [] })),
  ];
}

function gitBlockers({
  status,
  errors,
}: Pick<GitConfigReport, "status" | "errors">): readonly FoundBlocker[] {
  if (status === "ready" && errors === "") {
    return [];
  }
  const why = errors === "" ? `The daemon hasn't read it yet: it's ${status}.` : errors;
  const remedy = "Check the repository's address, and that the daemon's key may read and write it.";
  return [{ what: "The git repository", why, remedy, ids: undefined }];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
