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

/** A command that runs in a process group of its own, with all that it starts, also in groups of their own. */
export interface GroupCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment, but for WEIR_RUN: by that it is known what belongs to the group. */
  readonly env: Environment;
  readonly clock: Clock;
  /** How long it may take, in milliseconds. */
  readonly timeout: number;
  /** How much it may print on standard output, in bytes; it is ended when it prints more. */
  readonly mostOutput: number;
}

/** How a command ended, and what it printed until then. */
export interface GroupResult {
  readonly end: GroupEnd;
  readonly stdout: Buffer;
  /** The end of what was printed on standard error. */
  readonly stderr: string;
  /** The end of both outputs, in the order in which they came. */
  readonly both: string;
}

/** Why a command ended: by itself, by a signal from elsewhere, by us; or why it never began. */
export type GroupEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "timeout" | "flood" | "aborted" }
  | { readonly kind: "unstarted"; readonly error: Error };

/** By this variable all that a command starts are known, however deep they are and whoever is their parent. */
const marker = "WEIR_RUN";

/** What is left is killed at once, and then whoever was being started while the others were looked for. */
const killing: readonly EndRound[] = [0, 20, 20, 20, 20].map((within) => ({ within, signal: "SIGKILL" }));

/** How long a group that is asked to end may take to do so, in milliseconds. */
const grace = 500;

/** What is kept of outputs that are only for people to read, in bytes. */
const keptForPeople = 64 * 1024;

/**
 * Runs a command, without input, until it and all that hold its outputs have ended. Where that takes too long or
 * prints too much, or the signal is aborted, the whole group is asked to end and then killed. When the result is
 * there, so is nothing of the group any more. Never rejects.
 */
export async function runInGroup(command: GroupCommand, signal: AbortSignal): Promise<GroupResult> {
  const output = new GroupOutput(command.mostOutput);
  using limit = new Deadline(command.clock, command.timeout, AbortSignal.any([signal, output.flooded]));
  const stop = limit.signal;
  const end: GroupEnd = stop.aborted ? { kind: "aborted" } : await run(command, output, stop);
  // A command that is asked to end may do so as if it had done its work.
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
    // What cannot be handed to a program at all, such as an argument with a zero in it.
    return { kind: "unstarted", error: toError(error) };
  }
}

/** By what it is known who belongs to a group, and by which clock they are given time. */
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
 * Ends the group, and those that made groups of their own, known by their parents or by their environment: who
 * changes both is not found, and may still hold an output, which then is not waited for.
 */
async function endGroup(child: ChildProcess, { mark, clock }: GroupMark, closed: AbortSignal): Promise<void> {
  // Before anything is ended: what loses its parent is not known to be a child any more.
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

/** A group bears the number of the process that it began with, also when that one has ended. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) {
    signalAll([-pid], signal);
  }
}

/** What a command prints: all of standard output up to a limit, and the end of the rest. */
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

  /** Aborted when standard output has become too long. */
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
