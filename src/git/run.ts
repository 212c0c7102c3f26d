/**
 * The only place where git is started. In flows a command as a value, out flows what its output means, or a
 * GitError without credentials in it.
 */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { GitPluginError, type SimpleGitOptions, simpleGit } from "simple-git";
import { orAborted } from "../base/abort.ts";
import { toError } from "../base/errors.ts";
import type { GitCommand, GitOutput } from "./commands.ts";
import type { Environment } from "./environment.ts";
import type { GitFailure } from "./errors.ts";
import { gitError } from "./failure.ts";
import { CollectedOutput } from "./output.ts";
import { ProcessTree } from "./process-tree.ts";

/** Runs git commands in a folder; rejects with GitError. */
export interface Git {
  run<T>(command: GitCommand<T>, dir: string, signal: AbortSignal): Promise<T>;
}

/** How git is run. */
export interface GitSettings {
  readonly environment: Environment;
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
  "maintenance.auto=false",
  "gc.auto=0",
  "checkout.workers=2",
  "log.showSignature=false",
  "color.ui=false",
];

/**
 * Guards of simple-git that stand in the way of the settings above and of `--template=`, all of which turn
 * something off, and of GIT_PROXY_COMMAND, which Flux v1 passes on. What comes from outside reaches none.
 */
const unsafe = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeGitProxy: true,
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
  { environment, redact }: GitSettings,
): Promise<T> {
  const ended = await spawn(command, dir, signal, environment);
  const { output, all, cause } = ended;
  const failure = failureOf(ended, command, signal);
  if (failure !== undefined) {
    const { args, doing } = command;
    const { exitCode } = output;
    // Not simple-git's own error: that holds the arguments, credentials and all.
    const reason = signal.aborted ? { cause: signal.reason as unknown } : {};
    throw gitError(
      { failure, args, doing, exitCode, output: all, detail: cause?.message, ...reason },
      redact,
    );
  }
  return command.parse({ ...output, exitCode: output.exitCode ?? 0 });
}

interface Ended {
  /** The exit code is undefined where a signal ended git, and negative where it was never run. */
  readonly output: Omit<GitOutput, "exitCode"> & { readonly exitCode: number | undefined };
  /** Both outputs in the order in which they came. */
  readonly all: string;
  /** Why git was not run, or not to its end. */
  readonly cause: Error | undefined;
}

function failureOf<T>(
  ended: Ended,
  { isAnswer }: GitCommand<T>,
  signal: AbortSignal,
): GitFailure | undefined {
  const { output, cause } = ended;
  if (cause === undefined && output.exitCode === 0) {
    return undefined;
  }
  if (signal.aborted) {
    return isTimeout(signal) ? "timeout" : "aborted";
  }
  if (cause !== undefined || (output.exitCode ?? 0) < 0) {
    return "unrunnable";
  }
  if (output.exitCode === undefined) {
    return "exit";
  }
  return isAnswer?.({ ...output, exitCode: output.exitCode }) ? undefined : "exit";
}

function isTimeout(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason;
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

async function spawn(
  { args, input = "" }: GitCommand<unknown>,
  dir: string,
  signal: AbortSignal,
  environment: Environment,
): Promise<Ended> {
  const id = randomUUID();
  const collected = new CollectedOutput();
  const ended: { exitCode: number | undefined; cause: Error | undefined } = {
    exitCode: undefined,
    cause: undefined,
  };
  const options: Partial<SimpleGitOptions> = {
    baseDir: dir,
    config,
    unsafe,
    allowEnvironment,
    abort: signal,
    completion: { onClose: true, onExit: lingering },
    errors(error, { exitCode }) {
      ended.exitCode = Number.isInteger(exitCode) ? exitCode : undefined;
      ended.cause = error instanceof GitPluginError ? error : undefined;
      return ended.cause;
    },
    // Always, so that standard input is closed: nothing git starts may wait for someone to type.
    input: () => Buffer.from(input),
  };
  using tree = new ProcessTree(`${marker}=${id}`, signal);
  try {
    await simpleGit(options)
      // Where a folder has lost its own repository, none around it may be taken for it.
      .env({ ...environment, GIT_CEILING_DIRECTORIES: dirname(dir), [marker]: id })
      .outputHandler((_command, stdout, stderr) => collected.collect(stdout, stderr))
      .raw([...args]);
    await orAborted(collected.stdoutEnded, signal);
  } catch (error) {
    ended.cause ??= toError(error);
  }
  await tree.gone();
  return {
    output: { ...collected.texts(), exitCode: ended.exitCode },
    all: collected.all(),
    cause: ended.cause,
  };
}
