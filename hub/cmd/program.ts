import { messageOf, version } from "@weir/base";
import { CobraProgram, commandWord, flagsOf } from "@weir/cli";
import { explainEnd } from "../src/program/start-error.ts";
import { backupCommand } from "./commands/backup.ts";
import { demoCommand } from "./commands/demo.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { declareServeFlags, declareSharedFlags, fillFromEnvironment } from "./flags.ts";
import type { ConsoleTerminal, MakeCommand } from "./terminal.ts";

const long = `weir-console shows what fluxd does, in one cluster or many, and lets people steer it.

Daemons connect to it with --connect and --token, and fluxctl reaches them through it with --url and --token.

Without a command, it serves:

  # With an embedded database, in a folder
  weir-console --data-folder=/var/lib/weir-console

  # With PostgreSQL, behind a proxy that does TLS
  DATABASE_URL=postgresql://... weir-console --public-url=https://weir.example.com --secret-key-file=/etc/weir-console/keys`;

const commands: readonly { readonly name: string; readonly short: string; readonly make: MakeCommand }[] = [
  { name: "serve", short: "Run the console; the default.", make: serveCommand },
  { name: "demo", short: "Try the console, with two clusters connected.", make: demoCommand },
  { name: "backup", short: "Write all data into a file.", make: backupCommand },
  { name: "restore", short: "Read all data from a file, into an empty database.", make: restoreCommand },
  { name: "migrate", short: "Change the tables to what this version needs, or back.", make: migrateCommand },
];

/** Runs weir-console; resolves to its exit status: 0, 1 if it failed, or 2 if the command line is wrong. */
export async function runConsoleProgram(args: readonly string[], terminal: ConsoleTerminal): Promise<number> {
  const shared = declareSharedFlags();
  const program = new CobraProgram({ name: "weir-console", long, version, flags: flagsOf(shared) }, terminal);
  let failure: { readonly error: unknown } | undefined;
  for (const { name, short, make } of commands) {
    const command = make(shared, terminal);
    const run = async (words: readonly string[]): Promise<void> => {
      try {
        fillFromEnvironment(shared, terminal.env);
        await command.run(words);
      } catch (error) {
        failure = { error };
      }
    };
    program.addListed({ name, short }, () => Promise.resolve({ ...command, run }));
  }
  try {
    await program.run(withCommand(args));
  } catch (error) {
    terminal.err(`Error: ${messageOf(error)}\nRun 'weir-console --help' for usage.\n`);
    return 2;
  }
  if (failure !== undefined) {
    terminal.err(`Error: ${explainEnd(failure.error)}\n`);
    return 1;
  }
  return 0;
}

/** Whoever names no command, and doesn't ask for help or the version, means `serve`. */
function withCommand(args: readonly string[]): readonly string[] {
  const asks = args.some((arg) => ["--help", "-h", "--version"].includes(arg));
  const known = flagsOf({ ...declareSharedFlags(), ...declareServeFlags() });
  return asks || commandWord(args, known) !== undefined ? args : ["serve", ...args];
}
