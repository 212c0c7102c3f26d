import type { Clock, Environment } from "@weir/base";

/** What surrounds fluxctl: its two outputs, its environment, and the person before it, if there is one. */
export interface Terminal {
  /** Writes to stdout. */
  readonly out: (text: string) => void;
  /** Writes to stderr. */
  readonly err: (text: string) => void;
  readonly env: Environment;
  /** What fluxctl waits by, and gives up by; the clock of the machine where there is none. */
  readonly clock?: Clock;
  /** What shows stdout; undefined where that is no screen. */
  readonly screen?: Screen;
  /** What shows stderr; undefined where that is no screen. */
  readonly errScreen?: Screen;
  /** Aborted when somebody ends fluxctl before it is done, as by Ctrl-C. */
  readonly interrupted?: AbortSignal;
  /** Takes hold of the keyboard. Throws where there is none. */
  readonly openKeyboard?: () => Keyboard;
}

/** A screen that shows lines of characters; sizes are 0 where it does not know them. */
export interface Screen {
  columns(): number;
  rows(): number;
}

/** Keys as they are pressed, not echoed on the screen; the keyboard is as before when this is disposed. */
export interface Keyboard extends Disposable {
  /** What keys send, in pieces of one or several keys. */
  readonly input: AsyncIterable<string>;
}
