import { Alarm, type Clock, type Logger, Reported, TimeoutError } from "@weir/base";
import { KubeApiError } from "@weir/kube";
import { ConnectionError } from "@weir/kube/rest";

/** An outage is logged at most this often, no matter how many watches notice it. */
const outageIntervalMs = 60_000;

/**
 * Forbidden kinds are logged together: with Roles only, most kinds are forbidden, and all are noticed at
 * once.
 */
const gatherMs = 1_000;

/** Logs once why a kind can't be watched, however often it's retried, and again only after it worked. */
export class FailureLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #told = new Reported();
  /** Forbidden kinds that aren't logged yet, with the server's error. */
  readonly #forbidden = new Map<string, Error>();
  readonly #alarm: Alarm;
  #outageAt = -Infinity;

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
    this.#alarm = new Alarm(clock, () => this.#tellForbidden());
  }

  failed(kind: string, error: Error): void {
    if (error instanceof ConnectionError || error instanceof TimeoutError) {
      this.#lost(error);
    } else if (codeOf(error) !== 410 && this.#told.isNew(kind)) {
      this.#tell(kind, error);
    }
  }

  recovered(kind: string): void {
    const wasTold = this.#told.clear(kind) && !this.#forbidden.delete(kind);
    if (wasTold) {
      this.#logger.log({ info: "kind is watched again", kind });
    }
  }

  /** Logs whatever is still pending. */
  close(): void {
    this.#alarm.clear();
    this.#tellForbidden();
  }

  #tell(kind: string, error: Error): void {
    if (codeOf(error) !== 403) {
      this.#logger.log({ warning: "cannot watch kind", kind, err: error });
      return;
    }
    if (this.#forbidden.size === 0) {
      this.#alarm.set(gatherMs);
    }
    this.#forbidden.set(kind, error);
  }

  #tellForbidden(): void {
    const [first] = this.#forbidden.values();
    if (first !== undefined) {
      const kinds = [...this.#forbidden.keys()].sort().join(",");
      this.#logger.log({
        warning: "not allowed to watch these kinds; they are skipped",
        kinds,
        err: first,
        advice: "to include them, grant this account list and watch on them",
      });
      this.#forbidden.clear();
    }
  }

  #lost(error: Error): void {
    if (this.#clock.now() - this.#outageAt >= outageIntervalMs) {
      this.#outageAt = this.#clock.now();
      this.#logger.log({ warning: "cannot reach the cluster; retrying", err: error });
    }
  }
}

function codeOf(error: Error): number | undefined {
  return error instanceof KubeApiError ? error.status.code : undefined;
}
