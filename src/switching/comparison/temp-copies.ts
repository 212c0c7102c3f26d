import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Environment, isMissing, messageOf } from "@weir/base";
import { removeFolder } from "@weir/base/node";
import { WorkingFolder } from "../../git/working-folder.ts";
import { ComparisonError } from "./errors.ts";

/** A copy in a temporary folder. */
export interface TempCopy {
  /** The root of the manifests, as an absolute path. */
  readonly root: string;
  /** What it's a copy of. */
  readonly name: string;
}

/** Temporary copies of folders and commits, removed together when this is disposed. */
export class TempCopies implements AsyncDisposable {
  readonly #folder: string;
  readonly #env: Environment;
  #made = 0;

  private constructor(folder: string, env: Environment) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Creates a folder for copies that nobody else can read. */
  static async open(env: Environment): Promise<TempCopies> {
    return new TempCopies(await mkdtemp(join(tmpdir(), "fluxctl-diff-")), env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.#folder);
  }

  /** Copies a folder as it is now, without the files that git ignores. Rejects with ComparisonError. */
  async workingFiles(dir: string, signal: AbortSignal): Promise<TempCopy> {
    const folder = await this.#open(dir);
    const root = await this.#place();
    await failing(`cannot read ${dir}`, () => folder.copyTo(root, signal), signal);
    return { root, name: dir };
  }

  /**
   * Copies what a commit has in the place of a folder, or else another folder. Rejects with ComparisonError if `name` is
   * neither, or both.
   */
  async against(name: string, dir: string, signal: AbortSignal): Promise<TempCopy> {
    const folder = await this.#open(dir);
    const commit = await failing("cannot look for a commit", () => folder.commit(name, signal), signal);
    const other = await WorkingFolder.open({ dir: name, env: this.#env }).catch(() => undefined);
    if (commit !== undefined && other !== undefined && !/[./]/.test(name)) {
      throw new ComparisonError(`${name} is a folder and also a commit`, [
        `Write ./${name} for the folder, or refs/heads/${name} for the branch.`,
      ]);
    }
    if (other !== undefined) {
      return await this.workingFiles(name, signal);
    }
    if (commit === undefined) {
      throw new ComparisonError(`there is no folder ${name}, and no such commit, branch, or tag of ${dir}`, [
        "A pipeline often has only one commit: fetch the branch first, e.g. git fetch origin main",
      ]);
    }
    const place = await this.#place();
    const root = await failing(`cannot read ${name}`, () => folder.exportTo(place, commit, signal), signal);
    await mkdir(root, { recursive: true });
    return { root, name };
  }

  async #open(dir: string): Promise<WorkingFolder> {
    try {
      return await WorkingFolder.open({ dir, env: this.#env });
    } catch (error) {
      throw new ComparisonError(
        isMissing(error) ? `there is no folder ${dir}` : `cannot read ${dir}: ${messageOf(error)}`,
        [],
        { cause: error },
      );
    }
  }

  async #place(): Promise<string> {
    const place = join(this.#folder, String(++this.#made));
    await mkdir(place);
    return place;
  }
}

async function failing<T>(what: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw new ComparisonError(`${what}: ${messageOf(error)}`, [], { cause: error });
  }
}
