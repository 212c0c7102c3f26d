import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { type Environment, silentLogger, systemClock } from "@weir/base";
import { gitEnvironment } from "../../git/environment.ts";
import { Repository } from "../../git/repository.ts";
import { TakeoverError } from "./errors.ts";

/** Which branch to read, and from where. */
export interface SourceOptions {
  /** The folder of a clone, or a URL. */
  readonly place: string;
  readonly branch: string;
  readonly env: Environment;
}

/** The mirror has a time limit for each step. Here, only the signal limits the time, because a clone can take long. */
const noLimit = 24 * 3_600_000;

/** Variables that git needs in a person's shell, in addition to those that fluxd passes on in its container. */
const personal = ["SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "USER", "LOGNAME"];

/**
 * Clones a repository into a temporary folder, with the git credentials of this machine; disposing removes the folder.
 * Nothing is pushed. Rejects with TakeoverError if the repository can't be read, or doesn't have the branch.
 */
export async function openSource(options: SourceOptions, signal: AbortSignal): Promise<Source> {
  const { place, branch, env } = options;
  const repository = await Repository.open({
    url: (await isFolder(place)) ? resolve(place) : place,
    branch,
    paths: [],
    notesRef: "flux",
    user: { name: "", email: "" },
    wholeTree: false,
    readonly: true,
    pollInterval: noLimit,
    timeout: noLimit,
    tempDir: tmpdir(),
    environment: { ...gitEnvironment(env), ...personalEnvironment(env) },
    clock: systemClock,
    logger: silentLogger,
  });
  try {
    await cloned(repository, branch, signal);
    return { repository, [Symbol.asyncDispose]: () => repository.stop() };
  } catch (error) {
    await repository.stop();
    throw error;
  }
}

/** A clone; it's removed when it's disposed. */
export interface Source extends AsyncDisposable {
  readonly repository: Repository;
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function personalEnvironment(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    personal.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}

/** The mirror would keep trying, but here the first failure ends the attempt. */
async function cloned(repository: Repository, branch: string, signal: AbortSignal): Promise<void> {
  const failed = Promise.withResolvers<never>();
  const unsubscribe = repository.onStatus(() => {
    const { error, hindrance } = repository.status();
    if (error !== "" && hindrance !== "untried") {
      failed.reject(
        hindrance === "no-branch"
          ? new TakeoverError(`${repository.safeUrl} doesn't have the branch ${branch} that fluxd syncs`, [
              `In a clone, create it: git branch ${branch} origin/${branch}`,
            ])
          : new TakeoverError(`cannot read ${repository.safeUrl}: ${inOneLine(error)}`, [
              "Use --source to specify a local clone, or a URL that git can clone on this machine.",
            ]),
      );
    }
  });
  try {
    repository.start();
    await Promise.race([repository.ready(signal), failed.promise]);
  } finally {
    unsubscribe();
  }
}

/** Only the first line: the lines below it are the full output of git. */
function inOneLine(error: string): string {
  const [first = ""] = error.split("\n");
  return first.replace(/, full output:$/, "");
}
