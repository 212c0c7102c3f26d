import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/logger.ts";
import { KubeApiError } from "../../kube/api-status.ts";
import { TimeLimitError } from "../../kube/client/time-limit.ts";
import { ConnectionError } from "../../kube/client/transport.ts";

/** An outage is not told more often than this, however many watches notice it. */
const outageIntervalMs = 60_000;

/** Says once what keeps a kind from being watched, however often it is tried, and again only after it worked. */
export class FailureLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #told = new Set<string>();
  #outageAt = -Infinity;

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  failed(kind: string, error: Error): void {
    if (error instanceof ConnectionError || error instanceof TimeLimitError) {
      this.#lost(error);
    } else if (codeOf(error) !== 410 && !this.#told.has(kind)) {
      this.#told.add(kind);
      const what = codeOf(error) === 403 ? "kind is skipped: not allowed to watch it" : "cannot watch kind";
      this.#logger.log({ warning: what, kind, err: error });
    }
  }

  recovered(kind: string): void {
    if (this.#told.delete(kind)) {
      this.#logger.log({ info: "kind is watched again", kind });
    }
  }

  #lost(error: Error): void {
    if (this.#clock.now() - this.#outageAt >= outageIntervalMs) {
      this.#outageAt = this.#clock.now();
      this.#logger.log({ warning: "lost sight of the cluster, trying again", err: error });
    }
  }
}

function codeOf(error: Error): number | undefined {
  return error instanceof KubeApiError ? error.status.code : undefined;
}
