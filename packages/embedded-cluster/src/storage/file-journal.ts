/**
 * Keeps the cluster in a SQLite file. A write is in SQLite's log before it is acknowledged, so a killed process
 * loses nothing that was; the file is flushed to the disk at checkpoints, so a power cut may cost the last
 * moments, but never leaves half a write.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSync as Database } from "node:sqlite";
import { messageOf } from "@weir/base";
import type { Journal } from "./object-store.ts";
import { restoreBytes, type StoredObject } from "./stored-object.ts";

/** The folder cannot be used: no database of ours, damaged, or in use by another process. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly file: string;

  constructor(file: string, why: string, options?: ErrorOptions) {
    super(`cannot keep the cluster in ${file}: ${why}`, options);
    this.file = file;
  }
}

const formatVersion = 1;

const setUp = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, json BLOB NOT NULL,
    PRIMARY KEY (bucket, namespace, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS revision (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL) STRICT;
  INSERT INTO revision VALUES (1, 1) ON CONFLICT DO NOTHING;
  PRAGMA user_version = ${formatVersion};
`;

/** Opens, or makes, the file in a folder. Secrets are in it: only its owner can read it. Throws JournalError. */
export async function openFileJournal(folder: string): Promise<Journal> {
  const { DatabaseSync } = await import("node:sqlite");
  const file = join(resolve(folder), "cluster.db");
  try {
    makeFolder(dirname(file));
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
    const database = new DatabaseSync(file);
    const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
    if (version !== 0 && version !== formatVersion) {
      database.close();
      throw new JournalError(file, `it has format ${String(version)}, this program knows ${formatVersion}`);
    }
    database.exec(setUp);
    return journalOver(database, file);
  } catch (error) {
    throw error instanceof JournalError ? error : new JournalError(file, messageOf(error), { cause: error });
  }
}

/** Not mkdir's `recursive`: Node tries forever where a file system takes no folders, e.g. /proc. */
function makeFolder(folder: string): void {
  if (!existsSync(folder)) {
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

function journalOver(database: Database, file: string): Journal {
  const upsert = database.prepare("INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?)");
  const remove = database.prepare("DELETE FROM objects WHERE bucket = ? AND namespace = ? AND name = ?");
  const setRevision = database.prepare("UPDATE revision SET revision = ?");
  return {
    load: () => ({ objects: readObjects(database, file), revision: readRevision(database) }),
    put({ bucket, namespace, name, bytes, revision }) {
      inTransaction(database, () => {
        upsert.run(bucket, namespace, name, bytes);
        setRevision.run(revision);
      });
    },
    remove({ bucket, namespace, name }, revision) {
      inTransaction(database, () => {
        remove.run(bucket, namespace, name);
        setRevision.run(revision);
      });
    },
    close: () => database.close(),
  };
}

function inTransaction(database: Database, write: () => void): void {
  database.exec("BEGIN");
  try {
    write();
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function readRevision(database: Database): number {
  return Number(database.prepare("SELECT revision FROM revision").get()?.["revision"]);
}

function* readObjects(database: Database, file: string): Generator<StoredObject> {
  for (const row of database.prepare("SELECT bucket, namespace, name, json FROM objects").iterate()) {
    const { bucket, json } = row;
    if (typeof bucket === "string" && json instanceof Uint8Array) {
      yield restore(bucket, json, () => {
        const where = [bucket, row["namespace"], row["name"]].filter((part) => part !== "").join("/");
        return new JournalError(file, `its object ${where} is damaged`);
      });
    }
  }
}

function restore(bucket: string, json: Uint8Array, damaged: () => JournalError): StoredObject {
  try {
    return restoreBytes(bucket, json);
  } catch {
    throw damaged();
  }
}
