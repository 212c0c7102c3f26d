/**
 * The folders that a process works in, below TMPDIR and named as in Flux v1. They're created at each start. A process
 * that was killed leaves its folders behind, and the next one removes them.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Logger, messageOf } from "@weir/base";
import { removeFolder } from "@weir/base/node";
import { NoSpaceError } from "./errors.ts";

/** The purpose of a folder. */
export type FolderPurpose = "flux-gitclone" | "flux-working" | "flux-signers";

const purposes: readonly FolderPurpose[] = ["flux-gitclone", "flux-working", "flux-signers"];

/** A file with this name and a token identifies the owner of the folders with the same token. */
const ownerPrefix = "flux-owner";

/** Creates folders that this process and later ones can recognize as this process's. */
export class TempFolders {
  /** The parent of the folders. */
  readonly parent: string;
  readonly #token: string;
  readonly #logger: Logger;
  /** Folders that couldn't be removed, to be tried again. */
  readonly #left = new Set<string>();
  #made = 0;

  private constructor(parent: string, token: string, logger: Logger) {
    this.parent = parent;
    this.#token = token;
    this.#logger = logger;
  }

  /** Removes what dead processes left below `parent`, as far as possible, and registers this process as an owner. */
  static async open(parent: string, logger: Logger): Promise<TempFolders> {
    const folders = new TempFolders(parent, randomBytes(6).toString("hex"), logger);
    await mkdir(parent, { recursive: true });
    await folders.#removeLeftovers();
    await folders.ensureParent();
    return folders;
  }

  /** Makes sure that the parent and our owner file exist, since something may have removed them. */
  async ensureParent(): Promise<void> {
    await mkdir(this.parent, { recursive: true });
    const sign = join(this.parent, `${ownerPrefix}${this.#token}`);
    const signed = await readFile(sign).catch(() => "");
    if (signed.length === 0) {
      await writeFile(sign, await ownName(process.pid), { mode: 0o600 });
    }
  }

  /** Creates an empty folder that nobody else can read. Rejects with NoSpaceError if the disk is full. */
  async make(purpose: FolderPurpose): Promise<string> {
    try {
      return await this.#make(purpose);
    } catch (error) {
      if (error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT")) {
        throw new NoSpaceError("making a folder", this.parent, { cause: error });
      }
      throw error;
    }
  }

  async #make(purpose: FolderPurpose): Promise<string> {
    await this.ensureParent();
    await Promise.all([...this.#left].map((folder) => this.remove(folder)));
    this.#made += 1;
    const folder = join(this.parent, `${purpose}${this.#token}-${this.#made}`);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  /** Rejects with NoSpaceError if there's no space for `size` bytes; `what` describes them. */
  async requireSpace(size: number, what: string): Promise<void> {
    const { bavail, bsize } = await statfs(this.parent);
    if (size > bavail * bsize) {
      throw new NoSpaceError(`${what} (${size} bytes)`, this.parent);
    }
  }

  /**
   * Removes a folder. Never rejects, because an earlier error is more important: a folder that can't be removed is
   * logged once, and tried again when the next folder is created.
   */
  async remove(folder: string): Promise<void> {
    try {
      await removeFolder(folder);
      this.#left.delete(folder);
    } catch (error) {
      if (!this.#left.has(folder)) {
        this.#left.add(folder);
        this.#tellLeft(folder, error);
      }
    }
  }

  /** Removes all folders that still exist. Never rejects; the next start removes the rest. */
  async close(): Promise<void> {
    await this.#removeAll(this.#token);
  }

  async #removeLeftovers(): Promise<void> {
    for (const name of await namesIn(this.parent)) {
      if (new RegExp(`^${ownerPrefix}[0-9a-f]{12}$`).test(name) && (await isLeft(join(this.parent, name)))) {
        await this.#removeAll(name.slice(ownerPrefix.length));
      }
    }
  }

  /** The owner's file is removed last: as long as there are folders, their owner is known. */
  async #removeAll(token: string): Promise<void> {
    const names = await namesIn(this.parent);
    const ours = names.filter((name) => purposes.some((purpose) => name.startsWith(`${purpose}${token}-`)));
    try {
      await Promise.all(ours.map((name) => removeFolder(join(this.parent, name))));
      await rm(join(this.parent, `${ownerPrefix}${token}`), { force: true });
    } catch (error) {
      this.#tellLeft(this.parent, error);
    }
  }

  #tellLeft(folder: string, error: unknown): void {
    this.#logger.log({
      warning: "cannot remove files that are no longer needed",
      folder,
      err: messageOf(error),
    });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

/** True if the owner ran on this host and has ended. If that can't be determined, the folder counts as in use. */
async function isLeft(file: string): Promise<boolean> {
  const signed = await readFile(file, "utf8").catch(() => "");
  const [host, pid] = signed.split("\n");
  if (host !== hostname() || !/^\d+$/.test(pid ?? "")) {
    return false;
  }
  return signed !== (await ownName(Number(pid)));
}

/**
 * Identifies a process by host, ID, and start time, because IDs are reused: in a container mostly for the same program.
 */
async function ownName(pid: number): Promise<string> {
  return [hostname(), pid, await bootId(), await startTime(pid)].join("\n");
}

async function bootId(): Promise<string> {
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
}

/** In clock ticks since the machine started; "" if there's no such process, or no /proc. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
