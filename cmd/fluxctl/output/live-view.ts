import type { CommandContext } from "../command.ts";
import type { Screen } from "../terminal.ts";
import { LivePicture } from "./live-picture.ts";
import { clipLine, fitLines } from "./screen-text.ts";

/** Shows text that changes, such as a watched list. */
export interface LiveView extends Disposable {
  /** Shows the current text. */
  show(text: string): void;
  /** Shows that updates are unavailable. */
  lost(reason: string): void;
  /** Shows that updates are available again. */
  found(): void;
}

/**
 * On a terminal, draws each text over the previous one. Otherwise, prints each new text after the previous
 * one, with `separator` between them, and problems to stderr; with `repeats`, also prints unchanged texts.
 */
export function openLiveView(separator: string, context: CommandContext, repeats = false): LiveView {
  const { screen, env } = context;
  return screen === undefined || env["TERM"] === "dumb"
    ? new LogView(separator, context, repeats)
    : new ScreenView(screen, context);
}

class ScreenView implements LiveView {
  readonly #screen: Screen;
  readonly #context: CommandContext;
  readonly #picture: LivePicture;
  #text = "";

  constructor(screen: Screen, context: CommandContext) {
    this.#screen = screen;
    this.#context = context;
    this.#picture = new LivePicture(screen, context.out, context.door);
  }

  show(text: string): void {
    // On a narrow terminal, trailing spaces would wrap to additional lines.
    this.#text = text.replaceAll(/ +$/gm, "");
    this.#draw(this.#context.paint.faint("Watching; press Ctrl-C to stop."));
  }

  lost(reason: string): void {
    this.#draw(this.#context.paint.bad(`fluxd is unavailable, retrying: ${reason.replaceAll("\n", " ")}`));
  }

  found(): void {
    this.show(this.#text);
  }

  [Symbol.dispose](): void {
    this.#picture[Symbol.dispose]();
  }

  #draw(footer: string): void {
    const [columns, rows] = [this.#screen.columns(), this.#screen.rows()];
    // The footer and the cursor are below the lines.
    const room = rows === 0 ? Number.POSITIVE_INFINITY : Math.max(1, rows - 2);
    const line = columns === 0 ? footer : clipLine(footer, columns);
    this.#picture.draw(`${fitLines(this.#text, columns, room)}${line}\n`);
  }
}

class LogView implements LiveView {
  readonly #separator: string;
  readonly #context: CommandContext;
  readonly #repeats: boolean;
  #text: string | undefined;
  #isLost = false;

  constructor(separator: string, context: CommandContext, repeats: boolean) {
    this.#separator = separator;
    this.#context = context;
    this.#repeats = repeats;
  }

  show(text: string): void {
    if (this.#repeats || text !== this.#text) {
      this.#context.out(this.#text === undefined ? text : `${this.#separator}${text}`);
      this.#text = text;
    }
  }

  lost(reason: string): void {
    if (!this.#isLost) {
      this.#isLost = true;
      this.#warn(`fluxd is unavailable, retrying: ${reason}`);
    }
  }

  found(): void {
    this.#isLost = false;
    this.#context.err("fluxd is available again.\n");
  }

  [Symbol.dispose](): void {
    // Nothing to dispose.
  }

  #warn(text: string): void {
    const { err, errPaint } = this.#context;
    err(`${errPaint.pending("Warning:")} ${text}\n`);
  }
}
