import type { Environment } from "@weir/base";
import type { LoadedCommand } from "@weir/cli";
import type { SharedFlags } from "./flags.ts";

/** What the program works with. */
export interface ConsoleTerminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Environment;
  /** Aborted when the program is to end. */
  readonly stop: AbortController;
}

/** Makes a command of one command line. */
export type MakeCommand = (shared: SharedFlags, terminal: ConsoleTerminal) => LoadedCommand;
