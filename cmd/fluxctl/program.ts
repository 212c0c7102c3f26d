import { version } from "@weir/base";
import { CobraProgram, flagsOf, type LoadedCommand, printProgramUsage } from "@weir/cli";
import type { Command } from "./command.ts";
import { commands } from "./commands/table.ts";
import type { GlobalFlags } from "./flags/globals.ts";
import type { Terminal } from "./terminal.ts";

/** The name of the program. */
export const programName = "fluxctl";

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

/** Runs a command with the arguments that aren't flags. Rejects if it fails. */
export type RunCommand = (command: Command, args: readonly string[]) => Promise<void>;

/** fluxctl's commands for one command line, with help as the last of them. */
export function fluxctlProgram(globals: GlobalFlags, terminal: Terminal, run: RunCommand): CobraProgram {
  const flags = flagsOf(globals);
  const program = new CobraProgram({ name: programName, long, version, flags }, terminal);
  const runnable = (command: Command): LoadedCommand => ({
    ...command,
    run: (args) => run(command, args),
  });
  for (const entry of commands) {
    program.addListed(entry, async () => runnable(await entry.load()));
  }
  program.addListed({ name: "help", short: "Help about any command" }, async () => {
    const { helpCommand } = await import("./commands/help.ts");
    return runnable(
      helpCommand(programName, {
        find: (words) => findHelp(words, program),
        usage: () => printProgramUsage(program, flags),
      }),
    );
  });
  return program;
}

/** The help of the named command, or of fluxctl if none is named. */
async function findHelp([word]: readonly string[], program: CobraProgram): Promise<string | undefined> {
  if (word === undefined) {
    return program.helpInformation();
  }
  const command = program.commandNamed(word);
  await command?.load();
  return command?.helpInformation();
}
