import type { Identity } from "./commit.ts";
import type { Mirror } from "./mirror.ts";

/** The tag upstream that is on the commit synced last. As Flux v1's GitTagSyncProvider. */
export class SyncTag {
  readonly #mirror: Mirror;
  readonly #tag: string;
  readonly #tagger: Identity;

  constructor(mirror: Mirror, tag: string, tagger: Identity) {
    this.#mirror = mirror;
    this.#tag = tag;
    this.#tagger = tagger;
  }

  /** What it is, for logs. */
  get description(): string {
    return `tag ${this.#tag}`;
  }

  /** The commit that the tag is on, "" where there is no such tag; as the last refresh found it. */
  revision(signal: AbortSignal): Promise<string> {
    return Promise.resolve().then(() => {
      signal.throwIfAborted();
      return this.#mirror.history().tagRevision(this.#tag);
    });
  }

  /** Moves the tag, upstream too, by force. Rejects where the mirror is not ready or upstream refuses. */
  move(revision: string, signal: AbortSignal): Promise<void> {
    const tag = { name: this.#tag, revision, message: "Sync pointer", tagger: this.#tagger };
    return this.#mirror.moveTag(tag, signal);
  }
}
