import { mkdir } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { orAborted } from "@weir/base";
import { PGliteDialect } from "kysely";
import { connectionOver, type Engine, type ListenRequest } from "./engine.ts";
import type { Connection } from "./schema.ts";
import { embeddedParsers } from "./values.ts";

/** PGlite: PostgreSQL inside this process. It does one thing after the other. */
export class EmbeddedEngine implements Engine {
  readonly kind = "pglite";
  readonly connection: Connection;
  readonly #pglite: PGlite;
  readonly #owned: boolean;

  private constructor(pglite: PGlite, owned: boolean) {
    this.#pglite = pglite;
    this.#owned = owned;
    this.connection = connectionOver(new PGliteDialect({ pglite }));
  }

  /** Opens the database in a folder, which is made if it doesn't exist; without one, in memory. Takes seconds. */
  static async open(folder?: string): Promise<EmbeddedEngine> {
    return new EmbeddedEngine(await startPglite(folder), true);
  }

  /** Uses a PGlite from `startPglite` that the caller closes. */
  static over(pglite: PGlite): EmbeddedEngine {
    return new EmbeddedEngine(pglite, false);
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
  }
}

/** Starts a PGlite whose values are read as those of a server are. */
export async function startPglite(folder?: string): Promise<PGlite> {
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  return PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    parsers: { ...embeddedParsers },
  });
}
