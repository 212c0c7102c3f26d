import type { Screen } from "../terminal.ts";
import { linesOnScreen } from "./screen-text.ts";

const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";
const clearBelow = "\x1b[J";

/** A part of a screen where each picture is drawn over the one before; the last one stays when this is disposed. */
export class LivePicture implements Disposable {
  readonly #screen: Screen;
  readonly #out: (text: string) => void;
  #picture = "";

  constructor(screen: Screen, out: (text: string) => void) {
    this.#screen = screen;
    this.#out = out;
    out(hideCursor);
  }

  /** Draws lines, which may be longer than the screen but should not be more than it has. */
  draw(picture: string): void {
    // The screen may have another size by now, and the lines of before another number.
    const lines = linesOnScreen(this.#picture, this.#screen.columns());
    const up = lines === 0 ? "" : `\x1b[${lines}A`;
    this.#out(`${up}${lines === 0 ? "" : clearBelow}${picture}`);
    this.#picture = picture;
  }

  [Symbol.dispose](): void {
    this.#out(showCursor);
  }
}
