import { type Checkup, type Logger, Reported, warning } from "@weir/base";
import type { ResourceCache, UnavailableApi } from "@weir/engine";
import { apiVersionOf } from "@weir/kube";

const subject = "API groups";

/** Logs each API version once that the API server can't reach, and again after it worked. */
export class UnavailableApis {
  readonly #logger: Logger;
  readonly #told = new Reported();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** These can't be reached now. */
  tell(apis: readonly UnavailableApi[]): void {
    for (const api of apis.filter((each) => this.#told.isNew(nameOf(each)))) {
      this.#logger.log({
        warning: "the cluster has an unavailable API; garbage collection skips its resources",
        api: nameOf(api),
        err: api.reason,
      });
    }
    this.#told.endPass();
  }
}

/** Finds the API versions that the API server can't reach; nothing is found if there are none. */
export function apiCheckup(cache: Pick<ResourceCache, "unavailable">): Checkup {
  const look = () =>
    cache
      .unavailable()
      .map((api) =>
        warning(
          subject,
          `the cluster's API ${nameOf(api)} is unavailable: ${api.reason}`,
          "until it's available, its resources can't be synced, and those that are no longer in git aren't deleted; repair the server behind its APIService, or delete the APIService if it's not needed",
        ),
      );
  return { subject, look: () => Promise.resolve(look()) };
}

function nameOf({ group, version }: UnavailableApi): string {
  return apiVersionOf(group, version);
}
