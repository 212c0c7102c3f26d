import { AdvisedError, type Clock } from "@weir/base";
import type { CommandDeclaration } from "@weir/cli";
import type { ApiClient } from "@weir/flux/client";
import type { GlobalFlags } from "./flags/globals.ts";
import type { Door } from "./output/door.ts";
import type { Paint } from "./output/paint.ts";
import type { Terminal } from "./terminal.ts";

/** The possible exit statuses; Flux v1 only has 0 and 1. */
export type ExitStatus = 0 | 1 | 2 | 3;

/** The environment of a running command. */
export interface CommandContext extends Terminal {
  /**
   * Writes a machine-readable document to stdout. If stdout isn't a terminal, it's written as it is, because
   * its format has its own escapes.
   */
  readonly outDocument: (text: string) => void;
  /** Sanitizes all text before it's printed. */
  readonly door: Door;
  readonly globals: GlobalFlags;
  readonly clock: Clock;
  /** Aborted when the command has ended or should end. */
  readonly signal: AbortSignal;
  /** Colors for stdout. */
  readonly paint: Paint;
  /** Colors for stderr. */
  readonly errPaint: Paint;
  /**
   * Connects to the daemon, by its URL or through the cluster. Commands check their arguments before they
   * call it. Calling it again closes the previous connection. Rejects if no daemon can be reached.
   */
  readonly connect: () => Promise<ApiClient>;
  /** Sets the exit status for when the command doesn't fail; 0 by default. */
  exitWith(status: ExitStatus): void;
  /**
   * Does work that may take long. Meanwhile, a terminal shows what is being waited for, which the work can
   * update. `what` begins in lowercase, as in "the commit to be applied".
   */
  readonly waitFor: <T>(what: string, work: (tell: (what: string) => void) => Promise<T>) => Promise<T>;
}

/** A command. Created for each command line, because its flags store what was given. */
export interface Command extends CommandDeclaration {
  /** Runs the command; `args` are the arguments that aren't flags. Rejects if it fails. */
  run(args: readonly string[], context: CommandContext): Promise<void>;
}

/** Creates a command after loading its module. */
export type LoadCommand = () => Promise<Command>;

/** The arguments of fluxctl are invalid. */
export class UsageError extends AdvisedError {
  override readonly name = "UsageError";

  constructor(message: string, { advice = [] }: { readonly advice?: readonly string[] } = {}) {
    super(message, advice);
  }
}

/** Throws UsageError if there are arguments that aren't flags. */
export function refuseArguments(args: readonly string[]): void {
  if (args.length > 0) {
    throw new UsageError("expected no (non-flag) arguments");
  }
}
