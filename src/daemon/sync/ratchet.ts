import type { Logger } from "@weir/base";
import type { ResourceSet } from "../ports.ts";
import type { SyncState } from "./state.ts";

/**
 * The high-water mark of syncing: what this process last synced, beside what the sync state says. The two
 * differ where another daemon uses the same state, which is said once.
 */
export class Ratchet {
  readonly #state: SyncState;
  readonly #logger: Logger;
  #revision = "";
  #resources: ResourceSet | undefined;
  #warned = false;

  constructor(state: SyncState, logger: Logger) {
    this.#state = state;
    this.#logger = logger;
  }

  /** The resources this process synced last; undefined before its first sync. */
  get resources(): ResourceSet | undefined {
    return this.#resources;
  }

  /** The revision that the sync state holds. */
  revision(signal: AbortSignal): Promise<string> {
    return this.#state.revision(signal);
  }

  /**
   * Records a finished sync from `before` (what the state held when it began) to `after`. Resolves to true
   * where the state was moved. As Flux v1: the first sync of a process always writes.
   */
  async advance(
    before: string,
    after: string,
    resources: ResourceSet,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.#warnOfOthers(before);
    if (this.#revision === after) {
      return false;
    }
    await this.#state.move(after, signal);
    this.#revision = after;
    this.#resources = resources;
    this.#logger.log({ state: this.#state.description, old: before, new: after });
    return true;
  }

  #warnOfOthers(before: string): void {
    if (this.#revision !== "" && before !== this.#revision && !this.#warned) {
      this.#warned = true;
      this.#logger.log({
        warning:
          "detected external change in sync state; the sync state should not be shared by fluxd instances",
        state: this.#state.description,
      });
    }
  }
}
