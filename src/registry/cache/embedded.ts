import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type Clock, messageOf } from "@weir/base";
import { type CacheItem, keptSeconds, type ListableStore } from "./store.ts";

/** Where to keep an embedded cache, and its maximum size. */
export interface EmbeddedOptions {
  /** The file; without one, the cache stays in memory. */
  readonly file?: string;
  /** The limit for all keys and values together; the oldest items are removed first. */
  readonly maxBytes: number;
  readonly clock: Clock;
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS item (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    deadline INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    written INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS item_by_age ON item (written, bytes);
`;

/** Throws CacheFileError if the file isn't a cache or can't be written. */
export function openEmbeddedCache(options: EmbeddedOptions): ListableStore {
  try {
    return new EmbeddedCache(options);
  } catch (error) {
    throw new CacheFileError(options.file ?? ":memory:", error);
  }
}

/** The file of a cache can't be used. It's left unchanged, since it may be something else. */
export class CacheFileError extends Error {
  override readonly name = "CacheFileError";
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(`the cache cannot be kept in ${file}: ${messageOf(cause)}`, { cause });
    this.file = file;
  }
}

/** A cache in this process. Like memcached, it drops items that have expired or no longer fit. */
class EmbeddedCache implements ListableStore {
  readonly #options: EmbeddedOptions;
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #replace: StatementSync;
  readonly #sizeOf: StatementSync;
  #bytes: number;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.#database = new DatabaseSync(options.file ?? ":memory:");
    this.#database.exec(schema);
    this.#select = this.#database.prepare("SELECT value, deadline FROM item WHERE key = ? AND expires > ?");
    this.#replace = this.#database.prepare("INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?, ?, ?)");
    this.#sizeOf = this.#database.prepare("SELECT bytes FROM item WHERE key = ?");
    this.#bytes = this.#countBytes();
  }

  get(key: string): Promise<CacheItem | undefined> {
    return Promise.try(() => {
      const row = this.#select.get(key, this.#options.clock.now());
      return row && { value: String(row["value"]), deadline: Number(row["deadline"]) };
    });
  }

  set(key: string, item: CacheItem): Promise<void> {
    return Promise.try(() => this.#put(key, item));
  }

  keys(): readonly string[] {
    const rows = this.#database
      .prepare("SELECT key FROM item WHERE expires > ?")
      .all(this.#options.clock.now());
    return rows.map((row) => String(row["key"]));
  }

  close(): Promise<void> {
    return Promise.try(() => this.#database.close());
  }

  #put(key: string, { value, deadline }: CacheItem): void {
    const now = this.#options.clock.now();
    const expires = now + keptSeconds(deadline, now) * 1000;
    const bytes = Buffer.byteLength(key) + Buffer.byteLength(value);
    const before = Number(this.#sizeOf.get(key)?.["bytes"] ?? 0);
    this.#replace.run(key, value, deadline, expires, now, bytes);
    this.#bytes += bytes - before;
    if (this.#bytes > this.#options.maxBytes) {
      this.#makePlace(now);
    }
  }

  /** Frees more space than is needed right now, so that this doesn't happen with every write. */
  #makePlace(now: number): void {
    this.#database.prepare("DELETE FROM item WHERE expires <= ?").run(now);
    const goal = this.#options.maxBytes * 0.9;
    const oldestFirst = this.#database.prepare(`
      DELETE FROM item WHERE key IN (
        SELECT key FROM (SELECT key, SUM(bytes) OVER (ORDER BY written DESC, key) AS sum FROM item)
        WHERE sum > ?
      )`);
    oldestFirst.run(goal);
    this.#bytes = this.#countBytes();
  }

  #countBytes(): number {
    return Number(this.#database.prepare("SELECT TOTAL(bytes) AS sum FROM item").get()?.["sum"] ?? 0);
  }
}
