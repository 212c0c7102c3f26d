import { openSync } from "node:fs";
import type { ReadStream } from "node:tty";
import type { Clock, Environment } from "@weir/base";

/** fluxctl's environment: its two outputs, its variables, and the person at the terminal, if there is one. */
export interface Terminal {
  /** Writes to stdout. */
  readonly out: (text: string) => void;
  /** Resolves when what was written to stdout has mostly been taken; writing more before fills the memory. */
  readonly drained?: () => Promise<void>;
  /** Writes to stderr. */
  readonly err: (text: string) => void;
  readonly env: Environment;
  /** For waits and time limits; the machine's clock if it's not set. */
  readonly clock?: Clock;
  /** The terminal that shows stdout; undefined if stdout isn't a terminal. */
  readonly screen?: Screen;
  /** The terminal that shows stderr; undefined if stderr isn't a terminal. */
  readonly errScreen?: Screen;
  /** Aborted when somebody ends fluxctl early, e.g. with Ctrl-C. */
  readonly interrupted?: AbortSignal;
  /** Opens the keyboard. Throws if there is none. */
  readonly openKeyboard?: () => Keyboard;
}

/** A terminal that shows lines of characters; sizes are 0 if unknown. */
export interface Screen {
  columns(): number;
  rows(): number;
}

/** Keyboard input, without echo; disposing of it restores the keyboard. */
export interface Keyboard extends Disposable {
  /** The input, in pieces of one or several keys. */
  readonly input: AsyncIterable<string>;
}

/** Opens the input of the process's terminal. Throws if there is none. */
export function openTerminalInput(): ReadStream {
  // Loaded only here, because loading it is a tenth of what a command such as version takes.
  const { ReadStream } = process.getBuiltinModule("node:tty");
  return new ReadStream(openSync("/dev/tty", "r"));
}

/** Opens the keyboard of the process's terminal. Throws if there is none. */
export function openKeyboard(): Keyboard {
  const stream = openTerminalInput();
  stream.setEncoding("utf8");
  stream.setRawMode(true);
  return {
    input: stream as AsyncIterable<string>,
    [Symbol.dispose]() {
      stream.setRawMode(false);
      stream.destroy();
    },
  };
}
