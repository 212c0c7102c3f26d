/**
 * The only place where git is started. In flows a command as a value, out flows what its output means, or a
 * GitError without credentials in it, or a NoSpaceError.
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

/** Runs git commands in a folder; rejects with GitError, or with NoSpaceError where the disk is full. */
export interface Git {
  run<T>(command: GitCommand<T>, dir: string, signal: AbortSignal): Promise<T>;
}

/** How much git may print, in bytes. */
export type PrintLimits = Pick<GitLimits, "listing" | "history" | "note" | "answer" | "messages">;

/** How git is run. */
export interface GitSettings {
  readonly environment: GitEnvironment;
  /** The URL of upstream as commands have it, credentials and all: git is given another one. */
  readonly url: string;
  readonly limits: PrintLimits;
  readonly clock: Clock;
  /** Takes credentials out of arguments and output before they are told. */
  readonly redact: (text: string) => string;
}

/**
 * What no configuration file can say otherwise: no hooks, no file watchers, no submodules, no garbage
 * collection of git's own choosing, and output that can be parsed. What else the operator's configuration
 * says holds, credential helpers included, as in Flux v1; a repository brings none of its own.
 */
const config = [
  // One exchange less than version 2 for each fetch: what that saves, naming refs, is of no use to a mirror of all.
  "protocol.version=0",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  // What comes is written into one pack as it comes, so that it can be seen how much it is.
  "fetch.unpackLimit=1",
  "maintenance.auto=false",
  "gc.auto=0",
  "checkout.workers=2",
  "log.showSignature=false",
  "color.ui=false",
];

/**
 * Guards of simple-git that stand in the way of the settings above and of `--template=`, all of which turn
 * something off, of the credential helper, which is a constant, and of GIT_PROXY_COMMAND, which Flux v1 passes on.
 * What comes from outside reaches none.
 */
const unsafe = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeGitProxy: true,
  allowUnsafeCredentialHelper: true,
};

const allowEnvironment = [
  "GIT_TERMINAL_PROMPT",
  "GIT_ALLOW_PROTOCOL",
  "GIT_PROXY_COMMAND",
  "GIT_CEILING_DIRECTORIES",
];

/** By this variable the processes of one command are known, however deep they are. */
const marker = "WEIR_GIT_RUN";

/**
 * How long a helper that went into the background (ssh's ControlPersist) may hold git's standard error open
 * after git itself has ended, in milliseconds.
 */
const lingering = 2_000;

/** Makes the runner; it keeps nothing between two commands. */
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
    // Not simple-git's own error: that holds the arguments.
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

/** What git says of a full disk; what upstream says of its own comes behind "remote:". */
const noSpace = /^(?!remote:).*(: No space left on device|: Disk quota exceeded|Out of diskspace)$/m;

/** True where our disk is full, and not upstream's. */
function lacksSpace({ output }: GitError, { upstream }: GitCommand<unknown>): boolean {
  return upstream !== "receives" && noSpace.test(output);
}

/** No program can be given such an argument, and Node would say so in words of its own. */
function refuseNul(args: readonly string[]): void {
  const refused = args.find((arg) => arg.includes("\0"));
  if (refused !== undefined) {
    throw new RefusedError(`${JSON.stringify(refused)} is refused: it holds a NUL`);
  }
}

function floodText({ from, most }: Flood): string {
  return from === "stdout"
    ? `it listed more than ${most} bytes, so the repository holds too much to be worked with: take what does not belong there out of it`
    : `it printed more than ${most} bytes of messages, so the git server or what stands before it is at fault: look there`;
}

interface Ended {
  /** The exit code is undefined where a signal ended git, and negative where it was never run. */
  readonly output: Omit<GitOutput, "exitCode"> & { readonly exitCode: number | undefined };
  /** The end of both outputs in the order in which they came. */
  readonly all: string;
  /** Set where git was ended because it printed too much. */
  readonly flood: Flood | undefined;
  /** Why git was not run, or not to its end. */
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
    // Always, so that standard input is closed: nothing git starts may wait for someone to type.
    input: () => Buffer.from(input),
  };
  using tree = new ProcessTree(`${marker}=${id}`, clock, stop);
  try {
    await simpleGit(options)
      // Where a folder has lost its own repository, none around it may be taken for it.
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
