import { type Clock, makeVisible, printHumanDuration } from "@weir/base";
import { clipLine } from "./output/screen-text.ts";
import type { Screen, Terminal } from "./terminal.ts";

/** What is over sooner is not told of, in milliseconds. */
const showAfter = 400;
const frameEvery = 100;

const eraseLine = "\r\x1b[K";
const frames = Array.from("\u280b\u2819\u2839\u2838\u283c\u2834\u2826\u2827\u2807\u280f");
const plainFrames = Array.from("|/-\\");

/** Something that is waited for, and since when. */
interface Wait {
  what: string;
  readonly since: number;
}

/** A line on stderr that tells a person what is waited for and how long already. Without a screen there is none. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #waits: Wait[] = [];
  #isShown = false;

  constructor(terminal: Terminal, clock: Clock) {
    this.#terminal = terminal;
    this.#clock = clock;
  }

  /** Shows the line as long as the work takes, which may say anew what is waited for. */
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

  /** Takes the line away, so that something else can be written; it comes back by itself. */
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
      // What is waited for within something else is shown instead of it.
      if (this.#waits.at(-1) === wait) {
        this.#draw(wait, frame, errScreen);
      }
    }
    this.#waits.splice(this.#waits.indexOf(wait), 1);
    this.erase();
  }

  /** False where the work ended meanwhile. */
  async #pause(ms: number, ending: AbortSignal): Promise<boolean> {
    await this.#clock.sleep(ms, ending).catch(() => undefined);
    return !ending.aborted;
  }

  #draw({ what, since }: Wait, frame: number, screen: Screen): void {
    const glyphs = writesUnicode(this.#terminal.env) ? frames : plainFrames;
    const glyph = glyphs[frame % glyphs.length] ?? "";
    const line = `${glyph} Waiting for ${makeVisible(what)} (${printHumanDuration(this.#clock.now() - since)})`;
    // A line as long as the screen is wide makes some terminals begin the next.
    const columns = screen.columns();
    this.#terminal.err(`${eraseLine}${columns > 0 ? clipLine(line, columns - 1) : line}`);
    this.#isShown = true;
  }
}

/** As the locale says it; the first variable that is set counts. */
function writesUnicode(env: Terminal["env"]): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => (value ?? "") !== "");
  return /utf-?8/i.test(locale ?? "");
}
