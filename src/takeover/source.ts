import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { type Environment, silentLogger, systemClock } from "@weir/base";
import { gitEnvironment } from "../git/environment.ts";
import { Repository } from "../git/repository.ts";
import { TakeoverError } from "./errors.ts";

/** A repository to read a branch of. */
export interface SourceOptions {
  /** A folder with a clone, or a URL. */
  readonly place: string;
  readonly branch: string;
  readonly env: Environment;
}

/** The mirror has a limit for each step; here the signal alone is the limit, as a clone may take long. */
const noLimit = 24 * 3_600_000;

/** What git needs in a person's shell, beside what fluxd gives it in its container. */
const personal = ["SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "USER", "LOGNAME"];

/**
 * Clones a repository into a folder of its own, with the credentials that git has here; `dispose` removes it. Nothing
 * is ever pushed. Rejects with TakeoverError where it cannot be read, or has no such branch.
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

/** A clone; gone when it is disposed. */
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

/** The mirror tries again and again; here the first failure is the answer. */
async function cloned(repository: Repository, branch: string, signal: AbortSignal): Promise<void> {
  const failed = Promise.withResolvers<never>();
  const unsubscribe = repository.onStatus(() => {
    const { error, hindrance } = repository.status();
    if (error !== "" && hindrance !== "untried") {
      failed.reject(
        hindrance === "no-branch"
          ? new TakeoverError(`${repository.safeUrl} has no branch ${branch}, which fluxd syncs`, [
              `In a clone, create it: git branch ${branch} origin/${branch}`,
            ])
          : new TakeoverError(`cannot read ${repository.safeUrl}: ${inOneLine(error)}`, [
              "Use --source to name a local clone, or a URL that git can clone here.",
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

/** What git printed besides stands in lines below. */
function inOneLine(error: string): string {
  const [first = ""] = error.split("\n");
  return first.replace(/, full output:$/, "");
}
