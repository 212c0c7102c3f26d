/** What surrounds fluxctl: its two outputs, its environment, and the person before it, if there is one. */
export interface Terminal {
  /** Writes to stdout. */
  readonly out: (text: string) => void;
  /** Writes to stderr. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How many characters a line of the screen has; undefined where stdout is none. */
  readonly columns?: () => number | undefined;
  /** Takes hold of the keyboard. Throws where there is none. */
  readonly openKeyboard?: () => Keyboard;
}

/** Keys as they are pressed, not echoed on the screen; the keyboard is as before when this is disposed. */
export interface Keyboard extends Disposable {
  /** What keys send, in pieces of one or several keys. */
  readonly input: AsyncIterable<string>;
}
