/**
 * What fluxd doesn't do for now because somebody has suspended it. Kept where the next fluxd finds it; ends by itself
 * at its end.
 */
import {
  Alarm,
  type BackoffPolicy,
  backoffDelay,
  type Clock,
  type Logger,
  Mutex,
  messageOf,
  toError,
} from "@weir/base";
import { FluxError } from "@weir/flux";
import {
  describeSuspensions,
  nameSuspended,
  type ResumeRequest,
  type Suspendable,
  type SuspendRequest,
  type Suspension,
  type SuspensionReport,
  suspendable,
} from "@weir/flux/api";
import { SuspendedError } from "./errors.ts";
import { activeAt, parseSuspensions, printSuspensions, withResumed, withSuspended } from "./list.ts";

/** Why a text isn't stored, if it isn't. */
export interface Unkept {
  /** "outside-pod" if there is no place for it, which is nobody's mistake. */
  readonly why: string;
  readonly reason: string;
}

/** Stores a text for the next fluxd. All methods reject if it isn't known whether it's stored. */
export interface SuspensionStore {
  read(signal: AbortSignal): Promise<{ readonly text: string | undefined } | { readonly unkept: Unkept }>;
  /** Replaces the text; `change` can be called several times. Resolves to the reason if it can't be stored. */
  update(
    change: (current: string | undefined) => string | undefined,
    signal: AbortSignal,
  ): Promise<Unkept | undefined>;
}

/** What is suspended after a request. */
export type SuspensionChange = Omit<SuspensionReport, "stillSyncing">;

/** What is suspended from now on, and why the next fluxd won't know. */
interface Kept {
  readonly next: readonly Suspension[];
  readonly unkept: Unkept | undefined;
}

type Change = (current: readonly Suspension[]) => readonly Suspension[];

const retry: BackoffPolicy = { initialMs: 500, maxMs: 30_000, factor: 2, jitter: 0.2 };
/** Timers can't be set to much more than 24 days. */
const longestAlarm = 24 * 60 * 60 * 1000;

/** The suspensions of one daemon. */
export class Suspensions {
  readonly #options: SuspensionsOptions;
  readonly #oneAtATime = new Mutex();
  readonly #alarm: Alarm;
  #stored: readonly Suspension[] = [];
  /** Aborted while syncing is suspended. */
  #syncing = new AbortController();

  constructor(options: SuspensionsOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.#end());
    suspendable.forEach((what) => options.setSuspended(what, false));
  }

  /** What is suspended now. */
  get active(): readonly Suspension[] {
    return activeAt(this.#options.clock.now(), this.#stored);
  }

  /** The suspension of something; undefined if it isn't suspended. */
  find(what: Suspendable): Suspension | undefined {
    return this.active.find((each) => each.what === what);
  }

  /** Aborted with a SuspendedError when syncing is suspended. Ask for it again for each sync. */
  get syncing(): AbortSignal {
    return this.#syncing.signal;
  }

  /**
   * Reads what an earlier fluxd has stored. Retries until that's known, because a sync before that might be one that
   * somebody wanted to prevent. Rejects if aborted.
   */
  async load(signal: AbortSignal): Promise<void> {
    const { store, clock, logger } = this.#options;
    for (let failures = 1; ; failures += 1) {
      try {
        await this.#oneAtATime.run(async () => {
          const found = await store.read(signal);
          const text = "unkept" in found ? undefined : found.text;
          const now = clock.now();
          this.#become(activeAt(now, "unkept" in found ? this.#stored : parseSuspensions(text, now)));
        }, signal);
        break;
      } catch (error) {
        signal.throwIfAborted();
        if (failures === 1) {
          const err = `it isn't known yet whether syncing is suspended, so nothing is synced; retrying: ${messageOf(error)}`;
          logger.log({ err });
        }
        await clock.sleep(backoffDelay(retry, failures), signal);
      }
    }
    for (const warning of describeSuspensions(this.active)) {
      logger.log({ warning: `${warning}; to resume, run \`fluxctl resume\`` });
    }
  }

  /** Suspends something. Rejects with a FluxError if the next fluxd wouldn't know. */
  suspend(request: SuspendRequest, signal: AbortSignal): Promise<SuspensionChange> {
    return this.#oneAtATime.run(async () => {
      const change: Change = (current) => withSuspended(current, request, this.#options.clock.now());
      const { next, unkept } = await this.#keep(change, "suspend", signal);
      if (unkept !== undefined && unkept.why !== "outside-pod") {
        const message = `cannot suspend: the next fluxd would not know about it, because ${unkept.reason}`;
        throw new FluxError("server", message, `${message}\n`);
      }
      this.#become(next);
      const suspensions = this.active.filter(({ what }) => request.what.includes(what));
      for (const message of describeSuspensions(suspensions)) {
        this.#tell("suspend", message);
      }
      return { suspensions: this.active, ended: [], forgotten: unkept?.reason ?? "" };
    }, signal);
  }

  /** Resumes something, at least until the next restart. Rejects with a FluxError. */
  resume(request: ResumeRequest, signal: AbortSignal): Promise<SuspensionChange> {
    return this.#oneAtATime.run(async () => {
      const change: Change = (current) => withResumed(current, request);
      const ended = this.active.filter(({ what }) => request.what.includes(what));
      const { next, unkept } = await this.#keep(change, "resume", signal);
      this.#become(next);
      if (ended.length > 0) {
        const by = request.user === "" ? "" : ` by ${request.user}`;
        this.#tell("resume", `resumed${by}: ${nameSuspended(ended.map(({ what }) => what))}`);
        this.#options.onResumed();
      }
      const isGone = unkept === undefined || unkept.why === "no-secret" || unkept.why === "outside-pod";
      return { suspensions: this.active, ended, forgotten: isGone ? "" : unkept.reason };
    }, signal);
  }

  /** Stops all timers. */
  close(): void {
    this.#alarm.clear();
  }

  /** Stores a change. Rejects with a FluxError if the change isn't allowed, or if it isn't known what is stored. */
  async #keep(change: Change, verb: string, signal: AbortSignal): Promise<Kept> {
    const { store, clock } = this.#options;
    const now = clock.now();
    // Where nothing can be stored, `update` doesn't ask for a text.
    let next = change(this.active);
    try {
      const unkept = await store.update((text) => {
        next = change(activeAt(now, parseSuspensions(text, now)));
        return printSuspensions(next);
      }, signal);
      return { next, unkept };
    } catch (error) {
      if (error instanceof FluxError) {
        throw error;
      }
      const message = `cannot ${verb}: ${messageOf(error)}; try again, because it isn't known whether the next fluxd sees this request`;
      throw new FluxError("server", message, `${message}\n`, { cause: toError(error) });
    }
  }

  /** Takes over a new list: the metrics, a sync that runs, and the alarm. */
  #become(suspensions: readonly Suspension[]): void {
    const { clock, setSuspended } = this.#options;
    this.#stored = suspensions;
    suspendable.forEach((what) => setSuspended(what, this.find(what) !== undefined));
    const sync = this.find("sync");
    if (sync === undefined) {
      this.#syncing = this.#syncing.signal.aborted ? new AbortController() : this.#syncing;
    } else if (!this.#syncing.signal.aborted) {
      this.#syncing.abort(new SuspendedError(describeSuspensions([sync]).join("")));
    }
    const ends = suspensions.flatMap(({ until }) => until?.getTime() ?? []);
    if (ends.length === 0) {
      this.#alarm.clear();
    } else {
      this.#alarm.set(Math.min(Math.max(0, Math.min(...ends) - clock.now()), longestAlarm));
    }
  }

  /** Ends what has reached its end. What is stored about it counts no longer, and goes with the next change. */
  #end(): void {
    const before = this.#stored;
    const active = this.active;
    const ended = before.filter((each) => !active.includes(each));
    this.#become(active);
    if (ended.length > 0) {
      this.#tell("resume", `resumed, as planned: ${nameSuspended(ended.map(({ what }) => what))}`);
      this.#options.onResumed();
    }
  }

  #tell(type: "suspend" | "resume", message: string): void {
    this.#options.logger.log({ info: message });
    this.#options.note(type, message);
  }
}

export interface SuspensionsOptions {
  readonly store: SuspensionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly setSuspended: (what: Suspendable, isSuspended: boolean) => void;
  /** Receives what people should know. */
  readonly note: (type: "suspend" | "resume", message: string) => void;
  /** Called when something is no longer suspended. */
  readonly onResumed: () => void;
}
