import { toError } from "@weir/base";
import type { TreeEntry } from "./tree.ts";

/** Decrypts files into a work tree, and resolves to what it wrote. */
export type Reveal = (dir: string, signal: AbortSignal) => Promise<readonly TreeEntry[]>;

/** Decrypts files into a work tree that's only used once. Rejects with RevealError, or if it's aborted. */
export async function revealInto(
  dir: string,
  reveal: Reveal | undefined,
  signal: AbortSignal,
): Promise<readonly TreeEntry[]> {
  try {
    return (await reveal?.(dir, signal)) ?? [];
  } catch (error) {
    signal.throwIfAborted();
    throw new RevealError(toError(error));
  }
}

/** Files can't be decrypted. The message is Flux v1's. */
export class RevealError extends Error {
  override readonly name = "RevealError";

  constructor(cause: Error) {
    super(`git secret reveal -f: ${cause.message}`, { cause });
  }
}
