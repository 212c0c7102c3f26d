import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { type Clock, describeFileError } from "@weir/base";
import { writeBackup } from "../store/backup.ts";
import type { Database } from "../store/database.ts";
import { restoreBackup } from "../store/restore.ts";
import { StartError } from "./start-error.ts";

/** What a backup is made of, or restored into. */
export interface BackupOptions {
  readonly database: Database;
  readonly file: string;
  readonly clock: Clock;
}

/**
 * Writes a backup, compressed with gzip, for its owner only; the file is there only when it's complete. Resolves to how
 * many rows there are. Throws StartError if the file can't be written.
 */
export async function writeBackupFile(
  { database, file, clock }: BackupOptions,
  signal: AbortSignal,
): Promise<number> {
  const draft = `${file}.${process.pid}.part`;
  try {
    const rows = await writeDraft({ database, file: draft, clock }, signal);
    await flush(draft);
    await rename(draft, file);
    return rows;
  } catch (error) {
    await rm(draft, { force: true });
    throw isOfFile(error) ? cannot("write", file, error) : error;
  }
}

/** Restores a backup from a file. Throws StartError if it can't be read, or RestoreError. */
export async function restoreBackupFile(
  { database, file, clock }: BackupOptions,
  signal: AbortSignal,
): Promise<number> {
  const packed = createReadStream(file);
  const text = createGunzip();
  // A failure ends the lines early, and is then thrown below.
  const read = pipeline(packed, text, { signal }).catch((error: unknown) => error);
  try {
    const lines = createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY });
    return await restoreBackup(database, { lines, now: clock.now() }, signal);
  } catch (error) {
    const failure = text.errored ?? packed.errored;
    throw isOfFile(failure) ? cannot("read", file, failure) : error;
  } finally {
    packed.destroy();
    text.destroy();
    await read;
  }
}

async function writeDraft({ database, file, clock }: BackupOptions, signal: AbortSignal): Promise<number> {
  const gzip = createGzip();
  const written = pipeline(gzip, createWriteStream(file, { flags: "wx", mode: 0o600 }), { signal });
  // It's awaited below, unless reading the database fails first.
  written.catch(() => undefined);
  const stop = new AbortController();
  const write = async (line: string): Promise<void> => {
    if (!gzip.write(line)) {
      await Promise.race([once(gzip, "drain", { signal: stop.signal }), written]);
    }
  };
  try {
    const rows = await writeBackup(database, { write, now: clock.now() }, signal);
    gzip.end();
    await written;
    return rows;
  } finally {
    stop.abort();
    gzip.destroy();
    await written.catch(() => undefined);
  }
}

async function flush(file: string): Promise<void> {
  await using handle = await open(file, "r");
  await handle.sync();
}

function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error && "code" in error && ("path" in error || /^(Z_|ENOSPC)/.test(String(error.code)))
  );
}

function cannot(what: "read" | "write", file: string, error: unknown): StartError {
  const reason = describeFileError("open", file, error);
  const remedy =
    what === "read" ? "name a file that `weir-console backup` has written" : "choose another file";
  return new StartError(`cannot ${what} the backup ${file}: ${reason}: ${remedy}`, { cause: error });
}
