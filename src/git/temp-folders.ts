/**
 * The folders that a process works in, below TMPDIR and named as Flux v1 names its own. They are fresh at each
 * start; a process that was killed leaves its folders behind, and the next one removes them.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** What a folder is for. */
export type FolderPurpose = "flux-gitclone" | "flux-working";

const purposes: readonly FolderPurpose[] = ["flux-gitclone", "flux-working"];

/** A file of this name and a token says whose the folders with the same token are. */
const ownerPrefix = "flux-owner";

/** Makes folders that are known to be this process's, also to a later one. */
export class TempFolders {
  /** Where the folders are made. */
  readonly parent: string;
  readonly #token: string;
  #made = 0;

  private constructor(parent: string, token: string) {
    this.parent = parent;
    this.#token = token;
  }

  /** Removes what dead processes left below `parent`, and signs for what is to come. */
  static async open(parent: string): Promise<TempFolders> {
    await mkdir(parent, { recursive: true });
    await removeLeftovers(parent);
    const token = randomBytes(6).toString("hex");
    await writeFile(join(parent, `${ownerPrefix}${token}`), await ownName(process.pid), { mode: 0o600 });
    return new TempFolders(parent, token);
  }

  /** A new empty folder, which nobody else may read. */
  async make(purpose: FolderPurpose): Promise<string> {
    this.#made += 1;
    const folder = join(this.parent, `${purpose}${this.#token}-${this.#made}`);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  /** Removes all folders that were made and are still there. */
  async close(): Promise<void> {
    await removeFolders(this.parent, this.#token);
  }
}

/** Removes a folder and all in it, also where something still writes into it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (new RegExp(`^${ownerPrefix}[0-9a-f]{12}$`).test(name) && (await isLeft(join(parent, name)))) {
      await removeFolders(parent, name.slice(ownerPrefix.length));
    }
  }
}

/** The owner's file goes last: as long as there are folders, it is known whose they are. */
async function removeFolders(parent: string, token: string): Promise<void> {
  const names = await readdir(parent);
  const ours = names.filter((name) => purposes.some((purpose) => name.startsWith(`${purpose}${token}-`)));
  await Promise.all(ours.map((name) => removeFolder(join(parent, name))));
  await rm(join(parent, `${ownerPrefix}${token}`), { force: true });
}

/** True where the process that signed ran on this host and has ended; what cannot be told counts as in use. */
async function isLeft(file: string): Promise<boolean> {
  const signed = await readFile(file, "utf8").catch(() => "");
  const [host, pid] = signed.split("\n");
  if (host !== hostname() || !/^\d+$/.test(pid ?? "")) {
    return false;
  }
  return signed !== (await ownName(Number(pid)));
}

/**
 * A process by host, id and the moment it was started, since ids are given again: in a container mostly to
 * the same program.
 */
async function ownName(pid: number): Promise<string> {
  return [hostname(), pid, await bootId(), await startTime(pid)].join("\n");
}

async function bootId(): Promise<string> {
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
}

/** In clock ticks since the machine was started; "" where there is no such process, or no /proc. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
