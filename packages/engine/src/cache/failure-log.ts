import { Alarm, type Clock, type Logger, Reported, TimeoutError } from "@weir/base";
import { KubeApiError } from "@weir/kube";
import { ConnectionError } from "@weir/kube/rest";

/** An outage is not told more often than this, however many watches notice it. */
const outageIntervalMs = 60_000;

/** Kinds that are not allowed are told together: with Roles alone that is most of them, all within a moment. */
const gatherMs = 1_000;

/** Says once what keeps a kind from being watched, however often it is tried, and again only after it worked. */
export class FailureLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #told = new Reported();
  /** Kinds that are not allowed and not yet told, with what the server said. */
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

  /** Says what is still to be said. */
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
      this.#logger.log({ warning: "not allowed to watch these kinds, they are skipped", kinds, err: first });
      this.#forbidden.clear();
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
