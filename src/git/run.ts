/**
 * The only place that starts git. Takes a command as a value, and returns its parsed output. Rejects with a GitError
 * without credentials, or with a NoSpaceError.
 */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { AnyAbort, type Clock, type GitLimits, isTimeout, orAborted, toError } from "@weir/base";
import { ProcessTree } from "@weir/base/node";
import { GitPluginError, type SimpleGitOptions, simpleGit } from "simple-git";
import type { GitCommand, GitOutput } from "./commands.ts";
import type { GitEnvironment } from "./environment.ts";
import { type GitError, type GitFailure, NoSpaceError, RefusedError } from "./errors.ts";
import { gitError } from "./failure.ts";
import { CollectedOutput, type Flood } from "./output.ts";
import { upstreamAccess } from "./upstream-access.ts";

/** Runs git commands in a folder. Rejects with GitError, or with NoSpaceError if the disk is full. */
export interface Git {
  run<T>(command: GitCommand<T>, dir: string, signal: AbortSignal): Promise<T>;
}

/** How much git can print, in bytes. */
export type PrintLimits = Pick<GitLimits, "listing" | "history" | "note" | "answer" | "messages">;

/** How to run git. */
export interface GitSettings {
  readonly environment: GitEnvironment;
  /** The URL of upstream in commands, including credentials; git gets another one. */
  readonly url: string;
  readonly limits: PrintLimits;
  readonly clock: Clock;
  /** Removes credentials from arguments and output before they're shown. */
  readonly redact: (text: string) => string;
}

/**
 * Settings that no configuration file can override: no hooks, file watchers, submodules, or automatic garbage
 * collection, and output that can be parsed. The rest of the operator's configuration applies, including credential
 * helpers, as in Flux v1; a repository has none of its own.
 */
const config = [
  // Saves one round trip per fetch compared with version 2, whose advantage, selecting refs, is useless for a mirror of
  // all refs.
  "protocol.version=0",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  // Incoming data is written to one pack as it arrives, so that its size can be watched.
  "fetch.unpackLimit=1",
  "maintenance.auto=false",
  "gc.auto=0",
  "log.showSignature=false",
  "color.ui=false",
];

/**
 * Guards of simple-git that forbid the settings above and `--template=`, all of which turn something off, the
 * credential helper, which is a constant, and GIT_PROXY_COMMAND, which Flux v1 passes on. External values don't reach
 * any of them. The programs that check signatures are constants, too.
 */
const unsafe = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeGitProxy: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeGpgProgram: true,
};

const allowEnvironment = [
  "GIT_TERMINAL_PROMPT",
  "GIT_ALLOW_PROTOCOL",
  "GIT_PROXY_COMMAND",
  "GIT_CEILING_DIRECTORIES",
];

/** This variable marks all processes of one command, at any depth. */
const marker = "WEIR_GIT_RUN";

/**
 * How long a helper in the background (ssh's ControlPersist) can keep git's standard error open after git itself has
 * ended, in milliseconds.
 */
const lingering = 2_000;

/** Creates the runner, which keeps no state between commands. */
export function createGit(settings: GitSettings): Git {
  return {
    run: (command, dir, signal) => run(command, dir, signal, settings),
  };
}

async function run<T>(
  command: GitCommand<T>,
  dir: string,
  signal: AbortSignal,
  settings: GitSettings,
): Promise<T> {
  const { args, doing } = command;
  refuseNul(args);
  const ended = await spawn(command, dir, signal, settings);
  const { output, all, cause, flood } = ended;
  const failure = failureOf(ended, command, signal);
  if (failure !== undefined) {
    const { exitCode } = output;
    const detail = flood === undefined ? cause?.message : floodText(flood);
    // Not simple-git's own error, because that contains the arguments.
    const reason = signal.aborted ? { cause: signal.reason as unknown } : {};
    const error = gitError(
      { failure, args, doing, exitCode, output: all, detail, ...reason },
      settings.redact,
    );
    throw lacksSpace(error, command)
      ? new NoSpaceError(doing ?? `git ${args[0] ?? ""}`, dir, { cause: error })
      : error;
  }
  return command.parse({ ...output, exitCode: output.exitCode ?? 0 });
}

/** Git's messages about a full disk; upstream's own messages start with "remote:". */
const noSpace = /^(?!remote:).*(: No space left on device|: Disk quota exceeded|Out of diskspace)$/m;

/** True if our disk is full, and not upstream's. */
function lacksSpace({ output }: GitError, { upstream }: GitCommand<unknown>): boolean {
  return upstream !== "receives" && noSpace.test(output);
}

/** No program can receive such an argument, and Node's own error would quote all of them. */
function refuseNul(args: readonly string[]): void {
  const refused = args.find((arg) => arg.includes("\0"));
  if (refused !== undefined) {
    throw new RefusedError(`${JSON.stringify(refused)} isn't allowed: it contains a NUL`);
  }
}

function floodText({ from, most }: Flood): string {
  return from === "stdout"
    ? `it listed more than ${most} bytes, so the repository is too large; remove the files that don't belong in it`
    : `it printed more than ${most} bytes of messages, which probably come from the git server or a proxy; check those`;
}

interface Ended {
  /** The exit code is undefined if a signal ended git, and negative if it was never started. */
  readonly output: Omit<GitOutput, "exitCode"> & { readonly exitCode: number | undefined };
  /** The end of both streams, in the order in which they were printed. */
  readonly all: string;
  /** Set if git was stopped because of too much output. */
  readonly flood: Flood | undefined;
  /** Why git wasn't started, or didn't run to its end. */
  readonly cause: Error | undefined;
}

function failureOf<T>(
  ended: Ended,
  { isAnswer }: GitCommand<T>,
  signal: AbortSignal,
): GitFailure | undefined {
  const { output, cause, flood } = ended;
  if (cause === undefined && flood === undefined && output.exitCode === 0) {
    return undefined;
  }
  if (signal.aborted) {
    return isTimeout(signal) ? "timeout" : "aborted";
  }
  if (flood !== undefined) {
    return "flood";
  }
  if (cause !== undefined || (output.exitCode ?? 0) < 0) {
    return "unrunnable";
  }
  if (output.exitCode === undefined) {
    return "exit";
  }
  return isAnswer?.({ ...output, exitCode: output.exitCode }) ? undefined : "exit";
}

async function spawn(
  { args, input = "", prints = "answer", take, holdsPaths = false, upstream }: GitCommand<unknown>,
  dir: string,
  signal: AbortSignal,
  { environment, url, limits, clock }: GitSettings,
): Promise<Ended> {
  const id = randomUUID();
  const access = upstreamAccess(url);
  const own = upstream === undefined ? { config: [], environment: {} } : access;
  const collected = new CollectedOutput({ stdout: limits[prints], stderr: limits.messages }, take);
  using either = new AnyAbort(signal, collected.flooded);
  const stop = either.signal;
  const ended: { exitCode: number | undefined; cause: Error | undefined } = {
    exitCode: undefined,
    cause: undefined,
  };
  const options: Partial<SimpleGitOptions> = {
    baseDir: dir,
    config: [...config, ...own.config],
    unsafe,
    allowEnvironment,
    abort: stop,
    completion: { onClose: true, onExit: lingering },
    errors(error, { exitCode }) {
      ended.exitCode = Number.isInteger(exitCode) ? exitCode : undefined;
      ended.cause = error instanceof GitPluginError ? error : undefined;
      return ended.cause;
    },
    // Always close standard input: nothing that git starts may wait for somebody to type.
    input: () => Buffer.from(input),
  };
  using tree = new ProcessTree(`${marker}=${id}`, clock, stop);
  try {
    await simpleGit(options)
      // If a folder has lost its own repository, git must not use one around it.
      .env({ ...environment, ...own.environment, GIT_CEILING_DIRECTORIES: dirname(dir), [marker]: id })
      .outputHandler((_command, stdout, stderr) => collected.collect(stdout, stderr))
      .raw(args.map((arg) => (arg === url ? access.url : arg)));
    await orAborted(collected.stdoutEnded, stop);
  } catch (error) {
    ended.cause ??= toError(error);
  }
  await tree.gone();
  return {
    output: { ...collected.texts({ holdsPaths }), exitCode: ended.exitCode },
    all: collected.all(),
    flood: collected.flood,
    cause: ended.cause,
  };
}
