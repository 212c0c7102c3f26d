import type { Clock } from "@weir/base";
import type { CommandDeclaration } from "@weir/cli";
import type { ApiClient } from "../../src/api/client/client.ts";
import type { Told } from "./advice.ts";
import type { GlobalFlags } from "./globals.ts";
import type { Door } from "./output/door.ts";
import type { Paint } from "./output/paint.ts";
import type { Terminal } from "./terminal.ts";

/** How fluxctl may end; Flux v1 knows 0 and 1 only. */
export type ExitStatus = 0 | 1 | 2;

/** What a command runs with. */
export interface CommandContext extends Terminal {
  /**
   * Writes a document to stdout that is for programs first: as it is where no screen shows it, since its format
   * has escapes of its own.
   */
  readonly outDocument: (text: string) => void;
  /** What all text goes through on its way out. */
  readonly door: Door;
  readonly globals: GlobalFlags;
  readonly clock: Clock;
  /** Aborted when the command has ended, or is to end. */
  readonly signal: AbortSignal;
  /** Colours for stdout. */
  readonly paint: Paint;
  /** Colours for stderr. */
  readonly errPaint: Paint;
  /**
   * Connects to the daemon, by its URL or through the cluster. Commands judge their arguments before they ask
   * for it. Asked again, it gives up the connection of before. Rejects where there is no daemon to connect to.
   */
  readonly connect: () => Promise<ApiClient>;
  /** Exits with this status where the command does not fail; 0 where it says nothing. */
  exitWith(status: ExitStatus): void;
  /**
   * Does what may take long. A person before a screen sees meanwhile what is waited for, which the work can say
   * anew; it goes on in lower case, like "the commit to be applied".
   */
  readonly waitFor: <T>(what: string, work: (tell: (what: string) => void) => Promise<T>) => Promise<T>;
}

/** A command, made afresh for each command line since its flags hold what was given. */
export interface Command extends CommandDeclaration {
  /** Does it; `args` are what is no flag. Rejects where it failed. */
  run(args: readonly string[], context: CommandContext): Promise<void>;
}

/** Makes a command; its module is loaded for it. */
export type LoadCommand = (terminal: Terminal) => Promise<Command>;

/** fluxctl was called in a way that makes no sense. */
export class UsageError extends Error implements Told {
  override readonly name = "UsageError";
  readonly advice: readonly string[];

  constructor(message: string, { advice = [] }: Pick<Told, "advice"> = {}) {
    super(message);
    this.advice = advice;
  }
}

/** Throws UsageError where there are arguments that are no flags. */
export function refuseArguments(args: readonly string[]): void {
  if (args.length > 0) {
    throw new UsageError("expected no (non-flag) arguments");
  }
}
