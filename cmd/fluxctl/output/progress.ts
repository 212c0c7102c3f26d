import { type Clock, makeVisible, printHumanDuration } from "@weir/base";
import type { Screen, Terminal } from "../terminal.ts";
import { clipLine } from "./screen-text.ts";

/** Shorter waits aren't shown, in milliseconds. */
const showAfter = 400;
const frameEvery = 100;

const eraseLine = "\r\x1b[K";
const frames = Array.from("\u280b\u2819\u2839\u2838\u283c\u2834\u2826\u2827\u2807\u280f");
const plainFrames = Array.from("|/-\\");

/** What is being waited for, and since when. */
interface Wait {
  what: string;
  readonly since: number;
}

/**
 * A line on stderr that tells a person what is being waited for, and for how long. Without a terminal,
 * nothing is shown.
 */
export class Progress {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #waits: Wait[] = [];
  #isShown = false;

  constructor(terminal: Terminal, clock: Clock) {
    this.#terminal = terminal;
    this.#clock = clock;
  }

  /** Shows the line while the work runs; the work can change the text. */
  async during<T>(what: string, work: (tell: (what: string) => void) => Promise<T>): Promise<T> {
    const wait: Wait = { what, since: this.#clock.now() };
    const ending = new AbortController();
    const shown = this.#show(wait, ending.signal);
    try {
      return await work((now) => {
        wait.what = now;
      });
    } finally {
      ending.abort();
      await shown;
    }
  }

  /** Removes the line, so that something else can be written; it reappears by itself. */
  erase(): void {
    if (this.#isShown) {
      this.#terminal.err(eraseLine);
      this.#isShown = false;
    }
  }

  async #show(wait: Wait, ending: AbortSignal): Promise<void> {
    const { errScreen, env } = this.#terminal;
    if (errScreen === undefined || env["TERM"] === "dumb") {
      return;
    }
    this.#waits.push(wait);
    for (let frame = 0; await this.#pause(frame === 0 ? showAfter : frameEvery, ending); frame += 1) {
      // A nested wait is shown instead of the outer one.
      if (this.#waits.at(-1) === wait) {
        this.#draw(wait, frame, errScreen);
      }
    }
    this.#waits.splice(this.#waits.indexOf(wait), 1);
    this.erase();
  }

  /** False if the work ended in the meantime. */
  async #pause(ms: number, ending: AbortSignal): Promise<boolean> {
    await this.#clock.sleep(ms, ending).catch(() => undefined);
    return !ending.aborted;
  }

  #draw({ what, since }: Wait, frame: number, screen: Screen): void {
    const glyphs = writesUnicode(this.#terminal.env) ? frames : plainFrames;
    const glyph = glyphs[frame % glyphs.length] ?? "";
    const line = `${glyph} Waiting for ${makeVisible(what)} (${printHumanDuration(this.#clock.now() - since)})`;
    // On some terminals, a line of the full width wraps to the next line.
    const columns = screen.columns();
    this.#terminal.err(`${eraseLine}${columns > 0 ? clipLine(line, columns - 1) : line}`);
    this.#isShown = true;
  }
}

/** According to the locale; the first variable that is set counts. */
function writesUnicode(env: Terminal["env"]): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => (value ?? "") !== "");
  return /utf-?8/i.test(locale ?? "");
}
