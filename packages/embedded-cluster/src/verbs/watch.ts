/**
 * Watches: each has a place in the history of its bucket and goes on from there whenever something was written
 * and its client has room. Nothing is queued for a watch, so a slow client costs nothing but its own delay;
 * when the history has moved past it, it is told so (410) and lists anew.
 */

import { Alarm, Wake } from "@weir/base";
import { KubeApiError } from "@weir/kube";
import type { ChunkSink } from "../api/answer.ts";
import type { ApiContext } from "../api/api-context.ts";
import type { ListOptions } from "../api/options.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { statusBody, tooOldError } from "../status-errors.ts";
import type { StoreEvent } from "../storage/bucket.ts";
import { type StoredObject, storeTree, treeOf } from "../storage/stored-object.ts";
import { requireRevision } from "./list.ts";
import type { Scope } from "./select.ts";

/** How objects are written into events, e.g. as they are or as rows of a table. */
export type EncodeObject = (object: StoredObject) => readonly (Uint8Array | string)[];

/** A watch that can be run. */
export interface Watch {
  readonly context: ApiContext;
  readonly resource: ServedResource;
  readonly scope: Scope;
  readonly options: ListOptions;
  readonly encode: EncodeObject;
  readonly encodeBookmark: (revision: number, isInitialEnd: boolean) => string;
  /** How often a quiet watch is told how far the cluster is. */
  readonly bookmarkEveryMs: number;
}

/** What the API server calls its shortest timeout of watches. */
const defaultTimeoutSeconds = 1800;

/** Sends events until the time is over, the signal is aborted, or the history is lost. */
export async function runWatch(watch: Watch, sink: ChunkSink, signal: AbortSignal): Promise<void> {
  const { context, options } = watch;
  const wake = new Wake();
  const timeout = new AbortController();
  const timer = new Alarm(context.clock, () => timeout.abort());
  timer.set((options.timeoutSeconds ?? defaultTimeoutSeconds) * 1000);
  const stop = context.store.onEvent((event) => {
    if (event.object.bucket === watch.resource.bucket) {
      wake.wake();
    }
  });
  try {
    await new WatchLoop(watch, sink, wake, AbortSignal.any([signal, timeout.signal])).run();
  } catch (error) {
    if (!(error instanceof KubeApiError)) {
      throw error;
    }
    sink.write(`{"type":"ERROR","object":${JSON.stringify(statusBody(error.status))}}\n`);
  } finally {
    stop();
    timer.clear();
  }
}

class WatchLoop {
  readonly #watch: Watch;
  readonly #sink: ChunkSink;
  readonly #wake: Wake;
  readonly #over: AbortSignal;
  /** Rings when the watch was quiet for long enough to be told how far the cluster is. */
  readonly #quiet: Alarm;
  #quietSince: number | undefined;
  /** Everything up to this revision has been sent. */
  #revision = 0;

  constructor(watch: Watch, sink: ChunkSink, wake: Wake, over: AbortSignal) {
    this.#watch = watch;
    this.#sink = sink;
    this.#wake = wake;
    this.#over = over;
    this.#quiet = new Alarm(watch.context.clock, () => {
      this.#quietSince = this.#revision;
      wake.wake();
    });
  }

  async run(): Promise<void> {
    try {
      await this.#begin();
      while (!this.#isOver()) {
        await this.#catchUp();
        await this.#rest();
      }
    } finally {
      this.#quiet.clear();
    }
  }

  /** Waits for something to happen; where nothing does for long, a bookmark is sent. */
  async #rest(): Promise<void> {
    this.#quietSince = undefined;
    this.#quiet.set(this.#watch.bookmarkEveryMs);
    // The end of the watch is no fault: it is asked for after each wait.
    await this.#wake.wait(this.#over).catch(() => undefined);
    this.#bookmarkIfQuiet();
  }

  #bookmarkIfQuiet(): void {
    if (this.#quietSince === this.#revision && this.#watch.options.allowBookmarks && !this.#isOver()) {
      this.#bookmark(false);
    }
  }

  /** Where the client names no version, it begins with all that is there. */
  async #begin(): Promise<void> {
    const { context, options, resource, scope } = this.#watch;
    const asked = requireRevision(options.resourceVersion);
    const initial = options.sendInitialEvents ?? asked === 0;
    if (!initial) {
      this.#revision = options.sendInitialEvents === false && asked === 0 ? context.store.revision : asked;
      return;
    }
    this.#revision = context.store.revision;
    for (const object of context.store.bucket(resource.bucket).list(scope.namespace)) {
      if (this.#isOver()) {
        return;
      }
      if (scope.selects(object)) {
        await this.#send("ADDED", object);
      }
    }
    if (options.sendInitialEvents === true && options.allowBookmarks) {
      this.#bookmark(true);
    }
  }

  async #catchUp(): Promise<void> {
    const { store } = this.#watch.context;
    const bucket = store.bucket(this.#watch.resource.bucket);
    for (;;) {
      if (this.#isOver()) {
        return;
      }
      if (this.#revision < bucket.oldest) {
        throw tooOldError(this.#revision, bucket.oldest);
      }
      const event = bucket.nextAfter(this.#revision);
      if (event === undefined) {
        this.#revision = Math.max(this.#revision, store.revision);
        return;
      }
      this.#revision = event.revision;
      const seen = seenBy(event, this.#watch.scope);
      if (seen !== undefined) {
        await this.#send(seen.type, seen.object);
      }
    }
  }

  async #send(type: StoreEvent["type"], object: StoredObject): Promise<void> {
    const hasRoom = this.#sink.write(`{"type":"${type}","object":`, ...this.#watch.encode(object), "}\n");
    if (!hasRoom) {
      await this.#sink.drained();
    }
  }

  /** Asked anew each time: it becomes true while one waits. */
  #isOver(): boolean {
    return this.#over.aborted;
  }

  #bookmark(isInitialEnd: boolean): void {
    const object = this.#watch.encodeBookmark(this.#revision, isInitialEnd);
    this.#sink.write(`{"type":"BOOKMARK","object":${object}}\n`);
  }
}

/**
 * What an event means to those who see only what is selected. What leaves the selection is deleted to them: they
 * get it as they knew it, under the revision of the change.
 */
function seenBy(
  { type, object, previous, revision }: StoreEvent,
  { selects }: Scope,
): Pick<StoreEvent, "type" | "object"> | undefined {
  const was = previous !== undefined && selects(previous);
  if (type !== "DELETED" && selects(object)) {
    return { type: was ? "MODIFIED" : "ADDED", object };
  }
  return was
    ? { type: "DELETED", object: storeTree(previous.bucket, treeOf(previous), revision) }
    : undefined;
}
