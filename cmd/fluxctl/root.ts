import {
  type CommandDescription,
  printCommandHelp,
  printProgramHelp,
} from "../../src/base/cli/command-help.ts";
import { bool, flagsOf } from "../../src/base/cli/declare.ts";
import { findCommand } from "../../src/base/cli/find-command.ts";
import { parseArguments } from "../../src/base/cli/pflag.ts";
import { systemClock } from "../../src/base/clock.ts";
import { FluxError, toError } from "../../src/base/errors.ts";
import type { Command, CommandContext } from "./command.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { type Connection, connect } from "./connect.ts";
import { declareGlobalFlags, type GlobalFlags } from "./globals.ts";
import type { Terminal } from "./terminal.ts";

const program = "fluxctl";

const helpEntry: CommandEntry = {
  name: "help",
  short: "Help about any command",
  load: async (terminal) =>
    (await import("./commands/help.ts")).helpCommand(program, (words) => helpOn(words, terminal)),
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
export async function runFluxctl(args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  const globals = declareGlobalFlags();
  let path = program;
  try {
    if (args[0] === "__complete") {
      const { completeWords } = await import("./complete.ts");
      terminal.out(await completeWords(args.slice(1), terminal));
      return 0;
    }
    const found = findCommand(program, args, allCommands, flagsOf(globals));
    if (found.command === undefined) {
      runProgram(found.args, globals, terminal);
    } else {
      path = `${program} ${found.command.name}`;
      await runCommand(found.command, found.args, globals, terminal);
    }
    return 0;
  } catch (error) {
    terminal.err(printError(toError(error), path));
    return 1;
  }
}

/** Without a command there is nothing but help; flags are judged all the same. */
function runProgram(args: readonly string[], globals: GlobalFlags, terminal: Terminal): void {
  const flags = [...flagsOf(globals), helpFlag(program)];
  const { error } = parseArguments(args, flags);
  if (error) {
    throw error;
  }
  terminal.out(printProgramHelp(describeProgram(terminal), flags));
}

async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  globals: GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  const command = await entry.load(terminal);
  const help = helpFlag(entry.name);
  const { positional, warnings, error } = parseArguments(args, [...command.flags, help, ...flagsOf(globals)]);
  warnings.forEach((warning) => terminal.err(`${warning}\n`));
  if (error) {
    throw error;
  }
  if (help.value) {
    terminal.out(printCommandHelp(describeProgram(terminal), describe(entry, command)));
  } else {
    await runConnected(command, positional, globals, terminal);
  }
}

/** Runs a command and gives back whatever it connected to. */
async function runConnected(
  command: Command,
  args: readonly string[],
  globals: GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  const ending = new AbortController();
  const connections: Connection[] = [];
  const context: CommandContext = {
    ...terminal,
    globals,
    clock: systemClock,
    signal: ending.signal,
    connect: async () => {
      const connection = await connect(globals, terminal, ending.signal);
      connections.push(connection);
      return connection.client;
    },
  };
  try {
    await command.run(args, context);
  } finally {
    await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()));
    ending.abort();
  }
}

/** The help of the command that words name, or of fluxctl where there are none. */
async function helpOn(words: readonly string[], terminal: Terminal): Promise<string | undefined> {
  const [word] = words;
  if (word === undefined) {
    return printProgramHelp(describeProgram(terminal), [...flagsOf(declareGlobalFlags()), helpFlag(program)]);
  }
  const entry = allCommands.find(({ name, aliases }) => name === word || aliases?.includes(word));
  if (entry === undefined) {
    return undefined;
  }
  const silent: Terminal = { out: () => undefined, err: () => undefined, env: {} };
  return printCommandHelp(describeProgram(terminal), describe(entry, await entry.load(silent)));
}

function describeProgram({ columns }: Terminal) {
  const isScreen = columns?.() !== undefined;
  const shown = allCommands.filter(({ added = false }) => isScreen || !added);
  return { name: program, long, flags: flagsOf(declareGlobalFlags()), commands: shown };
}

function describe(entry: CommandEntry, command: Command): CommandDescription {
  const { short, aliases } = entry;
  const flags = [...command.flags, helpFlag(entry.name)];
  return { ...command, short, flags, ...(aliases ? { aliases } : {}) };
}

function helpFlag(name: string) {
  return bool("help", false, `help for ${name}`, { shorthand: "h" });
}

/** As Flux v1: an error of the API by its help text, any other with a hint at --help. */
function printError(error: Error, path: string): string {
  const told = fluxErrorIn(error);
  return told
    ? `== Error ==\n\n${told.help}\n`
    : `Error: ${error.message}\nRun '${path} --help' for usage.\n`;
}

function fluxErrorIn(error: unknown): FluxError | undefined {
  if (error instanceof FluxError) {
    return error;
  }
  return error instanceof Error ? fluxErrorIn(error.cause) : undefined;
}
