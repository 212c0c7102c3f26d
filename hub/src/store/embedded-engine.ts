import { mkdir } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { orAborted } from "@weir/base";
import { PGliteDialect } from "kysely";
import { embeddedParsers } from "./column-parsers.ts";
import { connectionOver, type Engine, type ListenRequest } from "./engine.ts";
import { holdFolder } from "./hold-folder.ts";
import type { Connection } from "./schema.ts";

/** PGlite: PostgreSQL inside this process. It does one thing after the other. */
export class EmbeddedEngine implements Engine {
  readonly kind = "pglite";
  readonly connection: Connection;
  readonly #pglite: PGlite;
  /** Keeps other processes out of the folder. */
  readonly #hold: AsyncDisposable | undefined;
  readonly #owned: boolean;

  private constructor(
    pglite: PGlite,
    { owned, hold }: { readonly owned: boolean; readonly hold?: AsyncDisposable | undefined },
  ) {
    this.#pglite = pglite;
    this.#owned = owned;
    this.#hold = hold;
    this.connection = connectionOver(new PGliteDialect({ pglite }));
  }

  /**
   * Opens the database in a folder, which is made if it doesn't exist; without one, in memory. Takes seconds. Throws
   * FolderInUseError if another process has opened it: two would destroy it.
   */
  static async open(folder?: string): Promise<EmbeddedEngine> {
    if (folder === undefined) {
      return new EmbeddedEngine(await startPglite(), { owned: true });
    }
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const hold = await holdFolder(folder);
    try {
      return new EmbeddedEngine(await startPglite(folder), { owned: true, hold });
    } catch (error) {
      await hold[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Uses a PGlite from `startPglite` that the caller closes. */
  static over(pglite: PGlite): EmbeddedEngine {
    return new EmbeddedEngine(pglite, { owned: false });
  }

  unhurried<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return work(this.connection);
  }

  async listen({ channel, message, begun }: ListenRequest, signal: AbortSignal): Promise<void> {
    const unlisten = await this.#pglite.listen(channel, message);
    begun();
    await orAborted(new Promise<never>(() => undefined), signal).catch(() => undefined);
    if (!this.#pglite.closed) {
      await unlisten();
    }
  }

  async close(): Promise<void> {
    if (this.#owned && !this.#pglite.closed) {
      await this.#pglite.close();
    }
    await this.#hold?.[Symbol.asyncDispose]();
  }
}

/** Starts a PGlite whose values are read as those of a server are. */
export async function startPglite(folder?: string): Promise<PGlite> {
  return PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    parsers: { ...embeddedParsers },
  });
}
