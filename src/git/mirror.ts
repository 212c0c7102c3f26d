/**
 * The mirror of the upstream repository, which lives as long as the program. Polls, notifications, and requests trigger
 * refreshes; the results are up-to-date refs and a status. Like Flux v1's pkg/git, but if upstream becomes unavailable,
 * the mirror stays: it can still be read, and continues when upstream is back.
 */
import {
  Alarm,
  type BackoffPolicy,
  backoffDelay,
  type Clock,
  callAll,
  Deadline,
  type GitLimits,
  Listeners,
  type Logger,
  Mutex,
  messageOf,
  orAborted,
  type Unsubscribe,
  Wake,
} from "@weir/base";
import { listRemote } from "./commands.ts";
import {
  GitError,
  isLasting,
  isUnknownHost,
  NoBranchError,
  NotConfiguredError,
  NotReadyError,
  ReadOnlyError,
} from "./errors.ts";
import { type Export, type ExportOptions, Exports } from "./export.ts";
import { History } from "./history.ts";
import { MirrorFolder } from "./mirror-folder.ts";
import { branchRef } from "./refs.ts";
import type { Remote } from "./remote.ts";
import type { Reveal } from "./reveal.ts";
import type { Git } from "./run.ts";
import type { Signer } from "./signature.ts";
import type { MirrorStatus } from "./status.ts";
import type { Tag } from "./tag.ts";
import type { TempFolders } from "./temp-folders.ts";

/** What to mirror, and how. Times are in milliseconds. */
export interface MirrorOptions {
  readonly remote: Remote;
  readonly branch: string;
  /** Never push anything, so don't check for write access. */
  readonly readonly: boolean;
  readonly pollInterval: number;
  /** The time limit for each step towards being ready, and for each refresh. */
  readonly timeout: number;
  readonly git: Git;
  readonly folders: TempFolders;
  readonly limits: GitLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Decrypts files in exports; undefined for none. */
  readonly reveal?: Reveal | undefined;
  /** Signs tags; undefined for tags without a signature. */
  readonly signer?: Signer | undefined;
  /** Called after each clone and fetch, unless it was stopped. */
  readonly onFetch?: (success: boolean) => void;
}

/**
 * Flux v1 waits 10 s after each failure. The first retries come sooner, in case upstream was only briefly unavailable.
 */
const retries: BackoffPolicy = { initialMs: 1_000, maxMs: 10_000, factor: 2, jitter: 0.2 };

/** For failures that won't go away soon, and whose retries are expensive. */
const slowRetries: BackoffPolicy = { initialMs: 10_000, maxMs: 300_000, factor: 2, jitter: 0.2 };

/** Everything that belongs to one clone. */
interface Held {
  readonly folder: MirrorFolder;
  readonly history: History;
  readonly exports: Exports;
}

/** Follows upstream between `start` and `stop`. */
export class Mirror {
  readonly #options: MirrorOptions;
  readonly #stopped = new AbortController();
  readonly #wake = new Wake();
  readonly #alarm: Alarm;
  readonly #mutex = new Mutex();
  readonly #refreshed = new Listeners<() => void>();
  readonly #statusChanged = new Listeners<() => void>();
  #status: MirrorStatus;
  #held: Held | undefined;
  #wasReady = false;
  #failures = 0;
  #failsLastingly = false;
  #nextFetch: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.#wake.wake());
    this.#status = {
      status: options.remote.url === "" ? "unconfigured" : "new",
      error: "git repo has not been cloned yet",
      hindrance: "untried",
    };
  }

  get options(): MirrorOptions {
    return this.#options;
  }

  /** Starts cloning, and then following upstream. */
  start(): void {
    this.#running = this.#run(this.#stopped.signal);
  }

  /** Stops all work and removes the mirror. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error("the git mirror is stopped"));
    this.#alarm.clear();
    await this.#running;
    await this.#mutex.run(() => remove(this.#held));
    this.#held = undefined;
  }

  status(): MirrorStatus {
    return this.#status;
  }

  /** Calls back after each refresh, whether or not it found changes. */
  onRefreshed(listener: () => void): Unsubscribe {
    return this.#refreshed.add(listener);
  }

  /** Calls back when the status changes; only once for an error that repeats. */
  onStatus(listener: () => void): Unsubscribe {
    return this.#statusChanged.add(listener);
  }

  /** Requests a refresh soon, or an immediate retry while the mirror isn't ready. */
  notify(): void {
    this.#wake.wake();
  }

  /** Resolves when the mirror is ready. */
  async ready(signal: AbortSignal): Promise<void> {
    const ready = Promise.withResolvers<undefined>();
    const look = (): void => {
      if (this.#status.status === "ready") {
        ready.resolve(undefined);
      }
    };
    const unsubscribe = this.onStatus(look);
    look();
    try {
      await orAborted(ready.promise, AbortSignal.any([signal, this.#stopped.signal]));
    } finally {
      unsubscribe();
    }
  }

  /**
   * Fetches from upstream now. A caller during a fetch waits for another one, since it may know about something newer.
   * Rejects with NotReadyError if the mirror isn't ready, and if the fetch fails; in that case the status doesn't
   * change, as in Flux v1.
   */
  async refresh(signal: AbortSignal): Promise<void> {
    this.#requireReady();
    await orAborted(this.#fetchSoon(), signal);
  }

  /**
   * Fetches from upstream as `refresh` does, but without notifying listeners, so that nothing is synced because of it.
   * Rejects like `refresh`.
   */
  async peek(signal: AbortSignal): Promise<void> {
    this.#requireReady();
    await this.#mutex.run(() => this.#fetch(), signal);
  }

  /**
   * The content of the mirror, even if upstream is unavailable. Throws NotReadyError or NotConfiguredError until the
   * mirror was ready once.
   */
  history(): History {
    return this.#readable().history;
  }

  /** Exports the files of a revision to a folder. */
  export(revision: string, signal: AbortSignal, options: ExportOptions = {}): Promise<Export> {
    return this.#readable().exports.take(revision, options, signal);
  }

  /** The folder to make a working clone of. Throws if the mirror isn't ready or is read-only. */
  writableFolder(): MirrorFolder {
    if (this.#options.readonly) {
      throw new ReadOnlyError();
    }
    return this.#requireReady().folder;
  }

  /** Creates or moves a tag upstream. Throws if the mirror isn't ready or is read-only. */
  async moveTag(tag: Tag, signal: AbortSignal): Promise<void> {
    const folder = this.writableFolder();
    const now = new Date(this.#options.clock.now());
    const either = AbortSignal.any([signal, this.#stopped.signal]);
    await this.#mutex.run(() => folder.moveTag(tag, now, either), either);
  }

  /** Rejects if upstream can't be written to. Throws if the mirror isn't ready or is read-only. */
  async checkWrite(signal: AbortSignal): Promise<void> {
    const folder = this.writableFolder();
    using limit = this.#limit(AbortSignal.any([signal, this.#stopped.signal]));
    const check = (): Promise<void> => folder.checkWrite(headOf(folder, this.#options.branch), limit.signal);
    await this.#mutex.run(check, limit.signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#status.status !== "unconfigured") {
      const step = this.#nextStep();
      if (!step.waits || (await this.#pause(signal))) {
        await this.#attempt(step.act, signal);
      }
    }
  }

  /** False if the mirror was stopped in the meantime. */
  async #pause(signal: AbortSignal): Promise<boolean> {
    const { pollInterval } = this.#options;
    const policy = this.#failsLastingly ? slowRetries : retries;
    this.#alarm.set(this.#failures > 0 ? backoffDelay(policy, this.#failures) : pollInterval);
    return this.#wake.wait(signal).then(
      () => true,
      () => false,
    );
  }

  #nextStep(): { readonly waits: boolean; readonly act: (signal: AbortSignal) => Promise<void> } {
    const failed = this.#failures > 0;
    switch (this.#status.status) {
      case "ready":
        return { waits: true, act: () => this.#follow() };
      case "cloned":
        return { waits: failed, act: (signal) => this.#check(failed, signal) };
      case "unconfigured":
      case "new":
      case "unreachable":
        return { waits: failed, act: (signal) => this.#obtain(signal) };
    }
  }

  async #attempt(act: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      using limit = this.#limit(signal);
      await act(limit.signal);
      this.#failures = 0;
    } catch (error) {
      if (!signal.aborted) {
        this.#failsLastingly = isLasting(error);
        this.#fail(error);
      }
    }
  }

  async #obtain(signal: AbortSignal): Promise<void> {
    await this.#mutex.run(() => this.#cloneOrCatchUp(signal), signal);
    this.#setStatus({
      status: "cloned",
      error: "git repo has been cloned but not yet checked for write access",
      hindrance: "untried",
    });
  }

  /**
   * A clone that can't be updated although upstream responds is replaced with a new one, unless cloning would fail for
   * the same reason.
   */
  #cloneOrCatchUp(signal: AbortSignal): Promise<MirrorFolder> {
    return this.#counted(this.#cloneOrFetchAll(signal));
  }

  async #cloneOrFetchAll(signal: AbortSignal): Promise<MirrorFolder> {
    const folder = this.#held?.folder;
    if (!folder) {
      return this.#cloneAnew(signal);
    }
    try {
      await folder.fetch(signal, { prune: true });
      return folder;
    } catch (error) {
      if (signal.aborted || isLasting(error) || !(await this.#upstreamAnswers(signal))) {
        throw error;
      }
      this.#tell("cannot update the mirror from upstream; cloning it again", error);
      return this.#cloneAnew(signal);
    }
  }

  /** Runs outside the clone, in case the clone is what's broken. */
  async #upstreamAnswers(signal: AbortSignal): Promise<boolean> {
    const { git, remote, folders } = this.#options;
    await folders.ensureParent();
    return await git.run(listRemote(remote.url), folders.parent, signal).then(
      () => true,
      () => false,
    );
  }

  async #cloneAnew(signal: AbortSignal): Promise<MirrorFolder> {
    const folder = await MirrorFolder.clone(this.#options, signal);
    const before = this.#held;
    this.#held = { folder, history: new History(folder), exports: new Exports(folder, this.#options) };
    await remove(before);
    return folder;
  }

  /** Checks that the branch exists, and for write access. */
  async #check(again: boolean, signal: AbortSignal): Promise<void> {
    const { branch, readonly } = this.#options;
    await this.#mutex.run(async () => {
      const folder = again ? await this.#cloneOrCatchUp(signal) : this.#requireHeld().folder;
      const head = headOf(folder, branch);
      if (!readonly) {
        await folder.checkWrite(head, signal);
      }
    }, signal);
    this.#wasReady = true;
    this.#setStatus({ status: "ready", error: "" });
    callAll(this.#refreshed);
  }

  async #follow(): Promise<void> {
    await this.#fetchSoon();
    await this.#requireHeld()
      .folder.pack(this.#stopped.signal)
      .catch((error: unknown) => this.#tell("cannot pack the mirror", error));
  }

  #fetchSoon(): Promise<void> {
    this.#nextFetch ??= this.#mutex.run(() => {
      this.#nextFetch = undefined;
      return this.#fetch().then(() => callAll(this.#refreshed));
    });
    return this.#nextFetch;
  }

  async #fetch(): Promise<void> {
    using limit = this.#limit(this.#stopped.signal);
    await this.#counted(this.#requireHeld().folder.fetch(limit.signal, { prune: false }));
  }

  async #counted<T>(fetch: Promise<T>): Promise<T> {
    let success = false;
    try {
      const result = await fetch;
      success = true;
      return result;
    } finally {
      if (!this.#stopped.signal.aborted) {
        this.#options.onFetch?.(success);
      }
    }
  }

  /** The time limit of one step. */
  #limit(signal: AbortSignal): Deadline {
    return new Deadline(this.#options.clock, this.#options.timeout, signal);
  }

  #tell(warning: string, error: unknown): void {
    const { logger, remote } = this.#options;
    logger.log({ warning, url: remote.safeUrl, err: messageOf(error) });
  }

  #fail(error: unknown): void {
    this.#failures += 1;
    const { status } = this.#status;
    const next = status === "cloned" ? "cloned" : isUnknownHost(error) ? "unreachable" : "new";
    this.#setStatus({ status: next, error: messageOf(error), ...hindranceOf(error) });
  }

  #setStatus(status: MirrorStatus): void {
    const before = this.#status;
    this.#status = status;
    if (before.status !== status.status || gistOf(before.error) !== gistOf(status.error)) {
      callAll(this.#statusChanged);
    }
  }

  #requireReady(): Held {
    const { status, error } = this.#status;
    if (status === "unconfigured") {
      throw new NotConfiguredError();
    }
    if (status !== "ready") {
      throw new NotReadyError(error);
    }
    return this.#requireHeld();
  }

  #readable(): Held {
    return this.#wasReady && this.#held ? this.#held : this.#requireReady();
  }

  #requireHeld(): Held {
    if (!this.#held) {
      throw new NotReadyError(this.#status.error);
    }
    return this.#held;
  }
}

/** The commit of a branch. Throws if there's none. */
function headOf(folder: MirrorFolder, branch: string): string {
  const head = folder.refs.get(branchRef(branch));
  if (!head) {
    throw new NoBranchError(branch);
  }
  return head.id;
}

async function remove(held: Held | undefined): Promise<void> {
  await held?.exports.close();
  await held?.folder.remove();
}

/** Why the mirror got no further, as far as that's distinguished. */
function hindranceOf(error: unknown): Pick<MirrorStatus, "hindrance"> {
  if (error instanceof NoBranchError) {
    return { hindrance: "no-branch" };
  }
  return error instanceof GitError && error.failure === "timeout" ? { hindrance: "timeout" } : {};
}

/** The error without the rest of git's output, which names another folder for each clone. */
function gistOf(error: string): string {
  return error.split(", full output:")[0] ?? "";
}
