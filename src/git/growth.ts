import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { AnyAbort, systemClock } from "@weir/base";
import { NoSpaceError, OversizedFetchError } from "./errors.ts";

/** How often to check how much data has arrived, in milliseconds. */
const lookEvery = 250;

/** The share of the free disk space that one fetch can use. */
const shareOfFree = 0.9;

/** A fetch, and its size limit. */
export interface Growth {
  /** A bare repository. */
  readonly dir: string;
  /** In bytes. */
  readonly most: number;
  /** The action, for messages. */
  readonly doing: string;
}

/**
 * Runs a fetch, and stops it when it exceeds the limit, since git itself has none. Rejects with OversizedFetchError,
 * with NoSpaceError if it would fill the disk, or like `fetch`.
 */
export async function limitGrowth<T>(
  growth: Growth,
  signal: AbortSignal,
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const tooMuch = new AbortController();
  using either = new AnyAbort(signal, tooMuch.signal);
  const watching = watch(growth, ended.signal, (error) => tooMuch.abort(error));
  try {
    return await fetch(either.signal);
  } catch (error) {
    if (!signal.aborted && tooMuch.signal.aborted) {
      throw tooMuch.signal.reason;
    }
    throw error;
  } finally {
    ended.abort();
    await watching;
  }
}

async function watch(growth: Growth, ended: AbortSignal, tell: (error: Error) => void): Promise<void> {
  const { dir, most, doing } = growth;
  const [before, room] = await Promise.all([packedSize(dir), roomFor(dir)]);
  while (!ended.aborted) {
    const grown = (await packedSize(dir)) - before;
    if (grown > Math.min(most, room)) {
      tell(most <= room ? new OversizedFetchError(doing, most) : new NoSpaceError(doing, dir));
      return;
    }
    // No limit of time, and git writes in that of the machine: a clock that a test holds would only make this blind.
    await systemClock.sleep(lookEvery, ended).catch(() => undefined);
  }
}

/** Incoming data is first written to packs. */
async function packedSize(dir: string): Promise<number> {
  const packs = join(dir, "objects", "pack");
  const names = await readdir(packs).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(packs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function roomFor(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir).catch(() => ({ bavail: Infinity, bsize: 1 }));
  return bavail * bsize * shareOfFree;
}
