import type { Identity } from "./commit.ts";
import type { Mirror } from "./mirror.ts";

/** The tag upstream that marks the last synced commit. Like Flux v1's GitTagSyncProvider. */
export class SyncTag {
  readonly #mirror: Mirror;
  readonly #tag: string;
  readonly #tagger: Identity;

  constructor(mirror: Mirror, tag: string, tagger: Identity) {
    this.#mirror = mirror;
    this.#tag = tag;
    this.#tagger = tagger;
  }

  /** A description for logs. */
  get description(): string {
    return `tag ${this.#tag}`;
  }

  /** The commit that the tag points to as of the last refresh; "" if there's no such tag. */
  revision(signal: AbortSignal): Promise<string> {
    return Promise.resolve().then(() => {
      signal.throwIfAborted();
      return this.#mirror.history().tagRevision(this.#tag);
    });
  }

  /** Moves the tag by force, here and upstream. Rejects if the mirror isn't ready or the push is refused. */
  move(revision: string, signal: AbortSignal): Promise<void> {
    const tag = { name: this.#tag, revision, message: "Sync pointer", tagger: this.#tagger };
    return this.#mirror.moveTag(tag, signal);
  }
}
