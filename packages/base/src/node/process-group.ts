import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { Deadline } from "../deadline.ts";
import type { Environment } from "../environment.ts";
import { toError } from "../errors.ts";
import { descendantsOf } from "./descendants.ts";
import { type EndRound, endMarked, signalAll } from "./end-processes.ts";
import { markedProcesses } from "./marked-processes.ts";
import { Tail } from "./tail.ts";

/**
 * A command that runs in its own process group. Covers everything that it starts, including processes that create their
 * own groups.
 */
export interface GroupCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment except WEIR_RUN, which identifies the group. */
  readonly env: Environment;
  readonly clock: Clock;
  /** The time limit, in milliseconds. */
  readonly timeout: number;
  /** The limit for standard output, in bytes; the command is stopped when it prints more. */
  readonly mostOutput: number;
}

/** How a command ended, and its output until then. */
export interface GroupResult {
  readonly end: GroupEnd;
  readonly stdout: Buffer;
  /** The end of standard error. */
  readonly stderr: string;
  /** The end of both streams, in the order in which they were printed. */
  readonly both: string;
}

/** Why a command ended: by itself, by a signal from elsewhere, or stopped by us; or why it never started. */
export type GroupEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "timeout" | "flood" | "aborted" }
  | { readonly kind: "unstarted"; readonly error: Error };

/** This variable identifies everything that a command starts, at any depth and whoever its parent is. */
const marker = "WEIR_RUN";

/** What's left is killed immediately, and then processes that were being started during the search. */
const killing: readonly EndRound[] = [0, 20, 20, 20, 20].map((within) => ({ within, signal: "SIGKILL" }));

/** How long a group can take to end after it's asked to, in milliseconds. */
const grace = 500;

/** How much to keep of output that only people read, in bytes. */
const keptForPeople = 64 * 1024;

/**
 * Runs a command without input, until it and all processes that hold its output have ended. If that takes too long or
 * prints too much, or if the signal is aborted, the whole group is asked to end and then killed. When this resolves,
 * nothing of the group is left. Never rejects.
 */
export async function runInGroup(command: GroupCommand, signal: AbortSignal): Promise<GroupResult> {
  const output = new GroupOutput(command.mostOutput);
  using limit = new Deadline(command.clock, command.timeout, AbortSignal.any([signal, output.flooded]));
  const stop = limit.signal;
  const end: GroupEnd = stop.aborted ? { kind: "aborted" } : await run(command, output, stop);
  // A command that's asked to end may exit as if it had finished its work.
  const reason = output.flooded.aborted ? "flood" : signal.aborted ? "aborted" : "timeout";
  return { end: stop.aborted ? { kind: reason } : end, ...output.result() };
}

async function run(command: GroupCommand, output: GroupOutput, stop: AbortSignal): Promise<GroupEnd> {
  const { program, args, cwd } = command;
  const id = randomUUID();
  const env = { ...command.env, [marker]: id };
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    output.collect(child);
    return await ended(child, { mark: `${marker}=${id}`, clock: command.clock }, stop);
  } catch (error) {
    // Something that can't be passed to a program at all, such as an argument with a NUL.
    return { kind: "unstarted", error: toError(error) };
  }
}

/** The mark that identifies a group, and the clock for its time limits. */
interface GroupMark {
  readonly mark: string;
  readonly clock: Clock;
}

async function ended(child: ChildProcess, marked: GroupMark, stop: AbortSignal): Promise<GroupEnd> {
  const closed = new AbortController();
  let ending: Promise<void> | undefined;
  const abort = (): void => {
    ending = endGroup(child, marked, closed.signal);
  };
  stop.addEventListener("abort", abort, { once: true });
  try {
    return await closeOf(child);
  } finally {
    stop.removeEventListener("abort", abort);
    closed.abort();
    await ending;
    signalGroup(child, "SIGKILL");
    await endMarked(marked.mark, killing, marked.clock);
  }
}

function closeOf(child: ChildProcess): Promise<GroupEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      resolve({ kind: "unstarted", error });
    });
    child.once("close", (code, signal) => {
      resolve(code === null ? { kind: "signal", signal: signal ?? "" } : { kind: "exit", code });
    });
  });
}

/**
 * Ends the group, and descendants that created their own groups, found by their parents or by their environment. A
 * process that changes both isn't found, and may still hold an output, which then isn't waited for.
 */
async function endGroup(child: ChildProcess, { mark, clock }: GroupMark, closed: AbortSignal): Promise<void> {
  // Before anything is ended, because a process that loses its parent can't be recognized as a descendant anymore.
  const children = child.pid === undefined ? [] : await descendantsOf(child.pid);
  const strays = [...new Set([...children, ...(await markedProcesses(mark))])];
  signalGroup(child, "SIGTERM");
  signalAll(strays, "SIGTERM");
  await clock.sleep(grace, closed).catch(() => undefined);
  signalGroup(child, "SIGKILL");
  signalAll(strays, "SIGKILL");
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** A group has the ID of its first process, even after that has ended. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) {
    signalAll([-pid], signal);
  }
}

/** The output of a command: all of standard output up to a limit, and the end of standard error. */
class GroupOutput {
  readonly #most: number;
  readonly #flooded = new AbortController();
  readonly #stdout: Buffer[] = [];
  readonly #stderr = new Tail(keptForPeople);
  readonly #both = new Tail(keptForPeople);
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Aborted when standard output exceeds its limit. */
  get flooded(): AbortSignal {
    return this.#flooded.signal;
  }

  collect({ stdout, stderr }: ChildProcess): void {
    stdout?.on("data", (bytes: Buffer) => this.#addStdout(bytes));
    stderr?.on("data", (bytes: Buffer) => {
      this.#stderr.add(bytes);
      this.#both.add(bytes);
    });
  }

  result(): Omit<GroupResult, "end"> {
    return { stdout: Buffer.concat(this.#stdout), stderr: this.#stderr.text, both: this.#both.text };
  }

  #addStdout(bytes: Buffer): void {
    this.#both.add(bytes);
    this.#length += bytes.length;
    if (this.#length <= this.#most) {
      this.#stdout.push(bytes);
    } else {
      this.#flooded.abort();
    }
  }
}
