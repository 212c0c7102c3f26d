import type { Logger } from "@weir/base";
import type { Change } from "@weir/flux/api";
import type { DaemonDependencies } from "./dependencies.ts";
import type { DaemonSettings, Repo } from "./ports.ts";

/** What reacting to a notice needs. */
export interface NotifyDependencies extends Pick<DaemonDependencies, "onImageNotice"> {
  readonly repo: Pick<Repo, "isEquivalent" | "notify">;
  readonly settings: Pick<DaemonSettings, "branch">;
  readonly logger: Logger;
}

/** Reacts to a notice of a change. As in Flux v1, only a change to another branch of our own repository is ignored. */
export function notifyChange(
  change: Change,
  { repo, settings, logger, onImageNotice }: NotifyDependencies,
): void {
  if (change.kind === "image") {
    onImageNotice?.(change.name, change.tags ?? []);
  } else if (repo.isEquivalent(change.url) && change.branch !== settings.branch) {
    logger.log({ msg: "notified about unrelated change", url: change.url, branch: change.branch });
  } else {
    repo.notify();
  }
}
