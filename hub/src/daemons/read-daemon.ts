import { messageOf } from "@weir/base";
import type { ListImagesOptions } from "@weir/flux/api";
import { type ConnectedDaemon, FatalError, UnavailableError } from "@weir/upstream-server";
import type { Reading } from "./snapshot.ts";

/** Without the lists of all images, which are long. Only new daemons leave them out. */
const images: ListImagesOptions = {
  workload: "<all>",
  namespace: "",
  fields: ["Name", "LatestFiltered", "NewFilteredImagesCount"],
};

/**
 * Asks a daemon for everything that the store has of it. What it refuses is left out, and said in `problem`; rejects if
 * it doesn't answer at all.
 */
export async function readDaemon(daemon: ConnectedDaemon, signal: AbortSignal): Promise<Reading> {
  const problems: string[] = [];
  /** Refusals are answers too. */
  async function ask<T>(question: Promise<T>): Promise<T | undefined> {
    try {
      return await question;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FatalError || error instanceof UnavailableError) {
        throw error;
      }
      problems.push(messageOf(error));
      return undefined;
    }
  }
  const { api } = daemon;
  const version = await ask(api.version(signal));
  const inspection = await daemon.inspection(signal);
  const git = await ask(api.gitRepoConfig(false, signal));
  const workloads = await ask(api.listWorkloads({ namespace: "", workloads: [] }, signal));
  const found = await ask(api.listImages(images, signal));
  const status = inspection && (await ask(inspection.status({ fetch: false, brief: true }, signal)));
  // Before a daemon is ready, git's state is what counts, not that it can't compare revisions.
  const unapplied =
    status === undefined && git?.status === "ready"
      ? await ask(api.syncStatus(git.branch, signal))
      : undefined;
  return {
    ...{ version, git, workloads, images: found, unapplied, status },
    isWeir: inspection !== undefined,
    problem: problems[0] ?? "",
  };
}
