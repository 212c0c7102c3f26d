import { systemClock, toError } from "@weir/base";
import type { ApiClient } from "@weir/flux/client";
import type { Command, CommandContext, ExitStatus } from "./command.ts";
import { commands } from "./commands/table.ts";
import type { Connection } from "./daemon/connect.ts";
import { declareGlobalFlags, type GlobalFlags } from "./flags/globals.ts";
import { Door } from "./output/door.ts";
import { paintFor } from "./output/paint.ts";
import { Progress } from "./output/progress.ts";
import { fluxctlProgram, programName } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/** Runs fluxctl with the given arguments; resolves to its exit status. */
export async function runFluxctl(args: readonly string[], bare: Terminal): Promise<ExitStatus> {
  const door = new Door(randomKey);
  const terminal = behind(door, bare);
  const globals = declareGlobalFlags();
  let status: ExitStatus = 0;
  const program = fluxctlProgram(globals, terminal, async (command, words) => {
    status = await runConnected(command, words, globals, { door, bare, terminal });
  });
  try {
    const [first, ...words] = args;
    if (first === "__complete" || first === "__completeNoDesc") {
      const { completeWords } = await import("./completion/complete.ts");
      terminal.out(await completeWords(words, first === "__complete", terminal));
      return 0;
    }
    await program.run(args);
    return status;
  } catch (error) {
    const called = program.called?.name();
    // Whoever interrupts it knows why it ends.
    if (terminal.interrupted?.aborted !== true) {
      const path = called === undefined ? programName : `${programName} ${called}`;
      // Loaded only here, because it brings the words of Flux with it.
      const { printError } = await import("./advice/print-error.ts");
      const paint = paintFor(terminal.errScreen, terminal.env, door);
      terminal.err(
        printError(toError(error), { path, globals, paint, isScreen: terminal.errScreen !== undefined }),
      );
    }
    return commands.find(({ name }) => name === called)?.failureStatus ?? 1;
  }
}

/** Loads the module only here, because that takes longer than running a command such as version. */
function randomKey(): number {
  return process.getBuiltinModule("node:crypto").randomInt(2 ** 47);
}

/** The original terminal, and the one that commands use, which sanitizes text. */
interface WayOut {
  readonly door: Door;
  readonly bare: Terminal;
  readonly terminal: Terminal;
}

function behind(door: Door, { out, err, ...terminal }: Terminal): Terminal {
  return { ...terminal, out: (text) => out(door.pass(text)), err: (text) => err(door.pass(text)) };
}

/** Runs a command and closes its connection. */
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
  const { clock = systemClock } = terminal;
  const progress = new Progress(bare, clock);
  await using connecting = new Connecting(async (shown) => {
    const { connect } = await import("./daemon/connect.ts");
    return connect(globals, shown, ending.signal);
  });
  const shown = writingOver(progress, terminal);
  const context: CommandContext = {
    ...shown,
    globals,
    clock,
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

/** A terminal whose output replaces the progress line. */
function writingOver(progress: Progress, terminal: Terminal): Terminal {
  const over =
    (write: (text: string) => void) =>
    (text: string): void => {
      progress.erase();
      write(text);
    };
  return { ...terminal, out: over(terminal.out), err: over(terminal.err) };
}

/** The connection of a command, at most one at a time. */
class Connecting implements AsyncDisposable {
  readonly #open: (terminal: Terminal) => Promise<Connection>;
  #connection: Connection | undefined;

  constructor(open: (terminal: Terminal) => Promise<Connection>) {
    this.#open = open;
  }

  /** Opens a connection and closes the previous one. */
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
