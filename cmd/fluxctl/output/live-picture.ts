import type { Screen } from "../terminal.ts";
import type { Door } from "./door.ts";
import { linesOnScreen } from "./screen-text.ts";

const hideCursor = "[?25l";
const showCursor = "[?25h";
const clearBelow = "[J";

/**
 * A part of a terminal where each picture is drawn over the previous one; the last one stays when this is
 * disposed.
 */
export class LivePicture implements Disposable {
  readonly #screen: Screen;
  readonly #out: (text: string) => void;
  readonly #door: Door;
  #picture = "";

  /** Text for `out` must be sanitized by the door. */
  constructor(screen: Screen, out: (text: string) => void, door: Door) {
    this.#screen = screen;
    this.#out = out;
    this.#door = door;
    out(door.code(hideCursor));
  }

  /** Draws lines, which can be longer than the terminal is wide, but shouldn't be more than it has. */
  draw(picture: string): void {
    // The terminal may have been resized, so the previous picture may take a different number of lines.
    const lines = linesOnScreen(this.#picture, this.#screen.columns());
    const erase = lines === 0 ? "" : this.#door.code(`[${lines}A`) + this.#door.code(clearBelow);
    this.#out(erase + picture);
    this.#picture = picture;
  }

  [Symbol.dispose](): void {
    this.#out(this.#door.code(showCursor));
  }
}
