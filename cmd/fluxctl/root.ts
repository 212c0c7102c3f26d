import type { ApiClient } from "../../src/api/client/client.ts";
import {
  type CommandDescription,
  printCommandHelp,
  printProgramHelp,
  printProgramUsage,
} from "../../src/base/cli/command-help.ts";
import { bool, flagsOf } from "../../src/base/cli/declare.ts";
import { findCommand } from "../../src/base/cli/find-command.ts";
import { parseArguments } from "../../src/base/cli/parse-arguments.ts";
import { systemClock } from "../../src/base/clock.ts";
import { toError } from "../../src/base/errors.ts";
import { FluxError } from "../../src/errors/flux-error.ts";
import { adviceOn } from "./advice.ts";
import type { Command, CommandContext, ExitStatus } from "./command.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { type Connection, connect } from "./connect.ts";
import { declareGlobalFlags, type GlobalFlags } from "./globals.ts";
import { Door } from "./output/door.ts";
import { paintFor } from "./output/paint.ts";
import { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

const program = "fluxctl";

const helpEntry: CommandEntry = {
  name: "help",
  short: "Help about any command",
  load: async () => (await import("./commands/help.ts")).helpCommand(program, { find: helpOn, usage }),
};

const allCommands: readonly CommandEntry[] = [...commands, helpEntry];

const long = `fluxctl helps you deploy your code.

Connecting:

  # To a fluxd running in namespace "default" in your current kubectl context
  fluxctl list-workloads

  # To a fluxd running in namespace "weave" in your current kubectl context
  fluxctl --k8s-fwd-ns=weave list-workloads

  # To a Weave Cloud instance, with your instance token in $TOKEN
  fluxctl --token $TOKEN list-workloads

Workflow:
  fluxctl list-workloads                                                   # Which workloads are running?
  fluxctl list-images --workload=default:deployment/foo                    # Which images are running/available?
  fluxctl release --workload=default:deployment/foo --update-image=bar:v2  # Release new version.`;

/** Runs fluxctl with the arguments behind its name; resolves to its exit status. */
export async function runFluxctl(args: readonly string[], bare: Terminal): Promise<ExitStatus> {
  const door = new Door(randomKey);
  const terminal = behind(door, bare);
  const globals = declareGlobalFlags();
  let path = program;
  let failureStatus: ExitStatus = 1;
  try {
    const [first, ...words] = args;
    if (first === "__complete" || first === "__completeNoDesc") {
      const { completeWords } = await import("./completion/complete.ts");
      terminal.out(await completeWords(words, first === "__complete", terminal));
      return 0;
    }
    const found = findCommand(program, args, allCommands, flagsOf(globals));
    if (found.command === undefined) {
      runProgram(found.args, globals, terminal);
      return 0;
    }
    path = `${program} ${found.command.name}`;
    failureStatus = found.command.failureStatus ?? 1;
    return await runCommand(found.command, found.args, globals, { door, bare, terminal });
  } catch (error) {
    // Who interrupts it knows why it ends.
    if (terminal.interrupted?.aborted !== true) {
      terminal.err(printError(toError(error), path, globals, terminal, door));
    }
    return failureStatus;
  }
}

/** Loads the module only here, since it takes longer to load than a command such as version takes to run. */
function randomKey(): number {
  return process.getBuiltinModule("node:crypto").randomInt(2 ** 47);
}

/** The terminal as it is, and as it is used: through the door. */
interface WayOut {
  readonly door: Door;
  readonly bare: Terminal;
  readonly terminal: Terminal;
}

function behind(door: Door, { out, err, ...terminal }: Terminal): Terminal {
  return { ...terminal, out: (text) => out(door.pass(text)), err: (text) => err(door.pass(text)) };
}

/** Without a command there is nothing but help; flags are judged all the same. */
function runProgram(args: readonly string[], globals: GlobalFlags, terminal: Terminal): void {
  const flags = [...flagsOf(globals), helpFlag(program)];
  const { error } = parseArguments(args, flags);
  if (error) {
    throw error;
  }
  terminal.out(printProgramHelp(describeProgram(), flags));
}

async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  globals: GlobalFlags,
  way: WayOut,
): Promise<ExitStatus> {
  const { terminal } = way;
  const command = await entry.load(terminal);
  const help = helpFlag(entry.name);
  const { positional, warnings, error } = parseArguments(args, [...command.flags, help, ...flagsOf(globals)]);
  warnings.forEach((warning) => terminal.err(`${warning}\n`));
  if (error) {
    throw error;
  }
  if (help.value) {
    terminal.out(printCommandHelp(describeProgram(), describe(entry, command)));
    return 0;
  }
  return runConnected(command, positional, globals, way);
}

/** Runs a command and gives back whatever it connected to. */
async function runConnected(
  command: Command,
  args: readonly string[],
  globals: GlobalFlags,
  { door, bare, terminal }: WayOut,
): Promise<ExitStatus> {
  let status: ExitStatus = 0;
  const ending = new AbortController();
  const end = (): void => ending.abort(terminal.interrupted?.reason);
  terminal.interrupted?.addEventListener("abort", end, { once: true });
  const progress = new Progress(bare, systemClock);
  await using connecting = new Connecting((shown) => connect(globals, shown, ending.signal));
  const shown = writingOver(progress, terminal);
  const context: CommandContext = {
    ...shown,
    globals,
    clock: systemClock,
    signal: ending.signal,
    outDocument: terminal.screen === undefined ? writingOver(progress, bare).out : shown.out,
    door,
    paint: paintFor(terminal.screen, terminal.env, door),
    errPaint: paintFor(terminal.errScreen, terminal.env, door),
    connect: () => progress.during("a connection to fluxd", () => connecting.connect(shown)),
    exitWith: (given) => {
      status = given;
    },
    waitFor: (what, work) => progress.during(what, work),
  };
  try {
    await command.run(args, context);
    return status;
  } finally {
    terminal.interrupted?.removeEventListener("abort", end);
    ending.abort();
  }
}

/** A terminal on which what is written takes the place of the line that tells of progress. */
function writingOver(progress: Progress, terminal: Terminal): Terminal {
  const over =
    (write: (text: string) => void) =>
    (text: string): void => {
      progress.erase();
      write(text);
    };
  return { ...terminal, out: over(terminal.out), err: over(terminal.err) };
}

/** The connection that a command has, at most one at a time. */
class Connecting implements AsyncDisposable {
  readonly #open: (terminal: Terminal) => Promise<Connection>;
  #connection: Connection | undefined;

  constructor(open: (terminal: Terminal) => Promise<Connection>) {
    this.#open = open;
  }

  /** Opens a connection in the place of the one before. */
  async connect(terminal: Terminal): Promise<ApiClient> {
    await this[Symbol.asyncDispose]();
    this.#connection = await this.#open(terminal);
    return this.#connection.client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.[Symbol.asyncDispose]();
  }
}

/** The help of the command that words name, or of fluxctl where there are none. */
async function helpOn(words: readonly string[]): Promise<string | undefined> {
  const [word] = words;
  if (word === undefined) {
    return printProgramHelp(describeProgram(), [...flagsOf(declareGlobalFlags()), helpFlag(program)]);
  }
  const entry = allCommands.find(({ name, aliases }) => name === word || aliases?.includes(word));
  if (entry === undefined) {
    return undefined;
  }
  const silent: Terminal = { out: () => undefined, err: () => undefined, env: {} };
  return printCommandHelp(describeProgram(), describe(entry, await entry.load(silent)));
}

function usage(): string {
  return printProgramUsage(describeProgram(), flagsOf(declareGlobalFlags()));
}

function describeProgram() {
  return { name: program, long, flags: flagsOf(declareGlobalFlags()), commands: allCommands };
}

function describe(entry: CommandEntry, command: Command): CommandDescription {
  const { short, aliases } = entry;
  const flags = [...command.flags, helpFlag(entry.name)];
  return { ...command, short, flags, ...(aliases ? { aliases } : {}) };
}

function helpFlag(name: string) {
  return bool("help", false, `help for ${name}`, { shorthand: "h" });
}

/**
 * As Flux v1: an error of the API by its help text, any other with a hint at --help. Below it, for a person before a
 * screen, what led to it and what to do.
 */
function printError(
  error: Error,
  path: string,
  globals: GlobalFlags,
  terminal: Terminal,
  door: Door,
): string {
  const told = fluxErrorIn(error);
  const paint = paintFor(terminal.errScreen, terminal.env, door);
  const text = told
    ? `${paint.bad("== Error ==")}\n\n${told.help}\n`
    : `${paint.bad("Error:")} ${error.message}\nRun '${path} --help' for usage.\n`;
  const below = terminal.errScreen === undefined ? [] : adviceOn(error, globals);
  return below.length === 0 ? text : `${text}\n${below.map((line) => `${line}\n`).join("")}`;
}

function fluxErrorIn(error: unknown): FluxError | undefined {
  if (error instanceof FluxError) {
    return error;
  }
  return error instanceof Error ? fluxErrorIn(error.cause) : undefined;
}
