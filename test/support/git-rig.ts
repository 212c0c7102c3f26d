import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { after } from "node:test";
import { type Clock, systemClock } from "@weir/base";
import { FakeClock, RecordedLog, TempFolder, until } from "@weir/testing";
import { gitEnvironment } from "../../src/git/environment.ts";
import { Repository, type RepositoryOptions } from "../../src/git/repository.ts";
import type { MirrorStatus } from "../../src/git/status.ts";
import { TestRepository } from "./repository.ts";

/** What a test sets otherwise than usual. */
export type RigOptions = Partial<Omit<RepositoryOptions, "tempDir" | "logger" | "environment">> & {
  readonly home?: string;
  /** Where git is looked for first. */
  readonly programs?: string;
};

/** A repository under test that follows an upstream, with folders of its own; stopped when it is disposed. */
export class GitRig implements AsyncDisposable {
  readonly repository: Repository;
  readonly log: RecordedLog;
  readonly tempDir: string;
  /** HOME of the git processes. */
  readonly home: string;
  /** Each status that was told of, in order. */
  readonly statuses: MirrorStatus[] = [];
  readonly #folder: TempFolder;

  private constructor(repository: Repository, log: RecordedLog, folder: TempFolder, home: string) {
    this.repository = repository;
    this.log = log;
    this.tempDir = join(folder.path, "tmp");
    this.home = home;
    this.#folder = folder;
    repository.onStatus(() => this.statuses.push(repository.status()));
  }

  /** Opens a repository on an upstream; it is not started yet. Time goes by only with a clock that moves. */
  static async open(url: string, options: RigOptions = {}): Promise<GitRig> {
    const folder = new TempFolder();
    const log = new RecordedLog();
    const { home = folder.path, programs, ...others } = options;
    const path = [programs, process.env["PATH"]].filter((part) => part !== undefined).join(delimiter);
    const repository = await Repository.open({
      url,
      branch: "master",
      paths: [],
      notesRef: "flux",
      user: { name: "Weave Flux", email: "support@weave.works" },
      wholeTree: false,
      readonly: false,
      pollInterval: 3_600_000,
      timeout: 60_000,
      clock: systemClock,
      ...others,
      logger: log,
      tempDir: join(folder.path, "tmp"),
      environment: gitEnvironment({ PATH: path, HOME: home }),
    });
    return new GitRig(repository, log, folder, home);
  }

  /** Opens a repository and waits until it is ready. */
  static async ready(url: string, options: RigOptions = {}): Promise<GitRig> {
    const rig = await GitRig.open(url, options);
    rig.repository.start();
    await rig.repository.ready(soon());
    return rig;
  }

  /** Resolves when the mirror has that status, and an error that matches. */
  async status(status: MirrorStatus["status"], error: RegExp): Promise<MirrorStatus> {
    return until(`the status ${status}`, () => {
      const now = this.repository.status();
      return now.status === status && error.test(now.error) ? now : undefined;
    });
  }

  /** The commit of the branch, after a refresh. */
  async freshHead(): Promise<string> {
    await this.repository.refresh(soon());
    return this.repository.branchHead(soon());
  }

  /** The names of the folders there are, with the letters that are by chance left out. */
  async folders(): Promise<readonly string[]> {
    const names = await readdir(this.tempDir);
    return names.map((name) => name.replace(/[0-9a-f]{12}(-\d+)?$/, "")).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.repository.stop();
    this.#folder[Symbol.dispose]();
  }
}

/** The upstreams that tests begin with, by their files: each is made once, and then copied. */
const made = new Map<string, Promise<TestRepository>>();
after(() => Promise.all([...made.values()].map(async (each) => (await each)[Symbol.asyncDispose]())));

/** An upstream with one file, and a server's folder around it. */
export async function upstreamWith(
  files: Readonly<Record<string, string>> = { "a.yaml": "a: 1\n" },
): Promise<TestRepository & { readonly root: string }> {
  const key = JSON.stringify(files);
  const first = made.get(key) ?? TestRepository.create(files);
  made.set(key, first);
  const upstream = await (await first).copy();
  return Object.assign(upstream, { root: dirname(upstream.bare) });
}

/** A signal for what must not take long. */
export function soon(): AbortSignal {
  return AbortSignal.timeout(120_000);
}

/** What processes are given to end is waited for in the real time that they take. */
const longestRealSleep = 100;

/** A clock that a test moves by hand, but for what processes are given to end. */
export class RigClock extends FakeClock {
  override now(): number {
    return super.now() + performance.now();
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return ms <= longestRealSleep ? systemClock.sleep(ms, signal) : super.sleep(ms, signal);
  }
}

/** The clock of a rig in which only notifications wake anything. */
export const standingClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    ms <= longestRealSleep
      ? systemClock.sleep(ms, signal)
      : new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
        }),
};

/** The names of the programs that run with the rig's home folder, however they were started. */
export async function processesOf(rig: GitRig): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const names = pids.map(async (pid) => {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    const isOurs = environment.includes("WEIR_GIT_RUN=") && environment.includes(`HOME=${rig.home}`);
    return isOurs ? [(await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim()] : [];
  });
  return (await Promise.all(names)).flat();
}

/** Clones, sees a push, commits, and moves the tag. */
export async function assertWorks(
  upstream: TestRepository,
  url: string,
  options: RigOptions = {},
): Promise<void> {
  await using rig = await GitRig.ready(url, options);
  const pushed = await upstream.push({ "a.yaml": `# ${url}\n` }, "from a developer");
  assert.equal(await rig.freshHead(), pushed);

  await using clone = await rig.repository.workingClone(soon());
  await writeFile(join(clone.dir, "a.yaml"), `# ours: ${url}\n`);
  const ours = await clone.commitAndPush({ message: "ours", author: undefined, note: "{}" }, soon());
  const tag = rig.repository.syncTag("flux-sync");
  await rig.repository.refresh(soon());
  await tag.move(ours, soon());

  assert.equal(await upstream.upstream("rev-parse", "master"), ours);
  assert.equal(await upstream.upstream("notes", "--ref=flux", "show", ours), "{}");
  assert.equal(await upstream.synced(), ours);
  assert.equal(await tag.revision(soon()), ours);
  await upstream.pull();
}
