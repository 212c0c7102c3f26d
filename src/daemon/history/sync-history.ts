import { type Clock, Deadline, type Logger, messageOf, Reported } from "@weir/base";
import { type DoneSync, mergeRecords, parseRing, printRing, recordOf, type SyncRecord } from "./ring.ts";

/** Keeps one text across restarts. Both methods reject if that isn't possible now. */
export interface HistoryStore {
  /** The text, if there is one. */
  read(signal: AbortSignal): Promise<string | undefined>;
  /** Replaces the text depending on what it is now; may call `change` several times. */
  update(change: (current: string | undefined) => string, signal: AbortSignal): Promise<void>;
}

/** The time limit for a write, in milliseconds. */
const writeTimeout = 10_000;

/** How long a sync waits to be written together with the next ones, or for another try, in milliseconds. */
const writeInterval = 60_000;

/** More than fit in the stored text. */
const mostUnstored = 1000;

/**
 * Remembers the syncs that changed something, across restarts. Writes happen on the side, at most once a minute and in
 * the end: they never delay or fail a sync, and busy hours don't fill the API server with versions of an object. What
 * couldn't be written is tried again a minute later.
 */
export class SyncHistory {
  readonly #options: SyncHistoryOptions;
  readonly #told = new Reported();
  /** Newest first: those that aren't stored yet. */
  #unstored: readonly SyncRecord[] = [];
  #last = 0;
  #writing: Promise<void> | undefined;
  /** Aborted when what isn't stored must be, now. */
  #hurry = new AbortController();

  constructor(options: SyncHistoryOptions) {
    this.#options = options;
  }

  /** Remembers a sync, unless it did nothing. */
  record(sync: DoneSync): void {
    if (sync.changes.length > 0) {
      const record = recordOf(sync, this.#last);
      this.#last = record.sequence;
      this.#unstored = [record, ...this.#unstored].slice(0, mostUnstored);
      this.#writing ??= this.#writeAll();
    }
  }

  /** The remembered syncs, newest first. If the earlier ones can't be read now, only those of this process. */
  async records(signal: AbortSignal): Promise<readonly SyncRecord[]> {
    // Before reading, so that nothing is missed that's written meanwhile.
    const unstored = this.#unstored;
    try {
      return mergeRecords(unstored, this.#parse(await this.#options.store.read(signal)));
    } catch (error) {
      signal.throwIfAborted();
      this.#tell("reading", error);
      return unstored;
    }
  }

  /** Writes what isn't stored yet. Resolves when that is done, or has failed. */
  async flush(): Promise<void> {
    this.#hurry.abort();
    await this.#writing;
    this.#hurry = new AbortController();
  }

  /** Resolves when everything is stored, or when what could be was stored in a hurry. */
  async #writeAll(): Promise<void> {
    const { signal } = this.#hurry;
    do {
      // It only rejects when it's told to hurry.
      await this.#options.clock.sleep(writeInterval, signal).catch(() => undefined);
      await this.#write();
    } while (this.#unstored.length > 0 && !signal.aborted);
    // In the same step as the last look, so that no record is left behind that comes just then.
    this.#writing = undefined;
  }

  async #write(): Promise<void> {
    const { store, clock } = this.#options;
    let tried: readonly SyncRecord[] = [];
    while (this.#unstored.length > 0 && this.#unstored !== tried) {
      const records = this.#unstored;
      tried = records;
      using limit = new Deadline(clock, writeTimeout);
      try {
        await store.update((text) => printRing(mergeRecords(records, this.#parse(text))), limit.signal);
        this.#unstored = this.#unstored.filter((record) => !records.includes(record));
        this.#told.clear("writing");
      } catch (error) {
        this.#tell("writing", error);
      }
    }
  }

  #parse(text: string | undefined): readonly SyncRecord[] {
    const records = text === undefined ? [] : parseRing(text);
    if (records === undefined && this.#told.isNew("parsing", "")) {
      this.#options.logger.log({
        warning: "ignoring the stored history of syncs, which this version of fluxd can't read",
      });
    }
    return records ?? [];
  }

  #tell(doing: string, error: unknown): void {
    const err = messageOf(error);
    if (this.#told.isNew(doing, err)) {
      this.#options.logger.log({ warning: `${doing} the history of syncs failed`, err });
    }
  }
}

export interface SyncHistoryOptions {
  readonly store: HistoryStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps the text as long as the process runs. */
export function createMemoryHistoryStore(): HistoryStore {
  let text: string | undefined;
  return {
    read: () => Promise.resolve(text),
    update: (change) => {
      text = change(text);
      return Promise.resolve();
    },
  };
}
