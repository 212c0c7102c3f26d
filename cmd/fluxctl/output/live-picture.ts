import type { Screen } from "../terminal.ts";
import type { Door } from "./door.ts";
import { linesOnScreen } from "./screen-text.ts";

const hideCursor = "[?25l";
const showCursor = "[?25h";
const clearBelow = "[J";

/** A part of a screen where each picture is drawn over the one before; the last one stays when this is disposed. */
export class LivePicture implements Disposable {
  readonly #screen: Screen;
  readonly #out: (text: string) => void;
  readonly #door: Door;
  #picture = "";

  /** What is given to `out` has to go through the door. */
  constructor(screen: Screen, out: (text: string) => void, door: Door) {
    this.#screen = screen;
    this.#out = out;
    this.#door = door;
    out(door.code(hideCursor));
  }

  /** Draws lines, which may be longer than the screen but should not be more than it has. */
  draw(picture: string): void {
    // The screen may have another size by now, and the lines of before another number.
    const lines = linesOnScreen(this.#picture, this.#screen.columns());
    const erase = lines === 0 ? "" : this.#door.code(`[${lines}A`) + this.#door.code(clearBelow);
    this.#out(erase + picture);
    this.#picture = picture;
  }

  [Symbol.dispose](): void {
    this.#out(this.#door.code(showCursor));
  }
}
