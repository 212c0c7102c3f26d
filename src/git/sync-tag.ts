import type { Identity } from "./commit.ts";
import { tagSignatureError } from "./errors.ts";
import type { Mirror } from "./mirror.ts";
import type { Verdicts } from "./verdicts.ts";

/** Which tag, and how to make and verify it. */
export interface SyncTagOptions {
  readonly name: string;
  readonly tagger: Identity;
  /** Undefined to use the tag whether or not it's signed. */
  readonly verdicts?: Verdicts | undefined;
}

/** The tag upstream that marks the last synced commit. Like Flux v1's GitTagSyncProvider. */
export class SyncTag {
  readonly #mirror: Mirror;
  readonly #options: SyncTagOptions;

  constructor(mirror: Mirror, options: SyncTagOptions) {
    this.#mirror = mirror;
    this.#options = options;
  }

  /** A description for logs. */
  get description(): string {
    return `tag ${this.#options.name}`;
  }

  /**
   * The commit that the tag points to as of the last refresh; "" if there's no such tag. Rejects with UnverifiedError
   * if the tag must be signed and isn't. As in Flux v1, any tag that's signed will do, whatever name it was made for.
   */
  async revision(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { name, verdicts } = this.#options;
    const history = this.#mirror.history();
    const ref = history.tag(name);
    if (ref !== undefined && verdicts !== undefined) {
      const verdict = await verdicts.tag(ref.id, (command, each) => history.run(command, each), signal);
      if (verdict?.accepted !== true) {
        throw tagSignatureError(name, verdict);
      }
    }
    return ref?.peeled ?? "";
  }

  /**
   * Moves the tag by force, here and upstream. If it points to the revision already, as after a restart, it stays, unless
   * tags are signed: then it may lack a signature. Rejects if the mirror isn't ready or the push is refused, and with
   * SigningError if the tag can't be signed.
   */
  async move(revision: string, signal: AbortSignal): Promise<void> {
    const { name, tagger } = this.#options;
    const isThere = this.#mirror.history().tag(name)?.peeled === revision;
    if (isThere && this.#mirror.options.signer === undefined) {
      return;
    }
    await this.#mirror.moveTag({ name, revision, message: "Sync pointer", tagger }, signal);
  }
}
