import type { Logger } from "@weir/base";
import type { ResourceSet } from "../ports.ts";
import type { SyncState } from "./state.ts";

/**
 * The high-water mark of syncing: what this process last synced, compared with the sync state. If another daemon uses
 * the same state, the two differ, which is logged once.
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

  /** The resources that this process last synced; undefined before its first sync. */
  get resources(): ResourceSet | undefined {
    return this.#resources;
  }

  /** The revision in the sync state. */
  revision(signal: AbortSignal): Promise<string> {
    return this.#state.revision(signal);
  }

  /**
   * Records a finished sync from `before` (the state when it started) to `after`. Resolves to true if the state was
   * moved. The first sync of a process always moves it, because another daemon may use the same state; a state that's
   * there already may leave it at that.
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
