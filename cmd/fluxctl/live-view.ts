import type { CommandContext } from "./command.ts";
import { LivePicture } from "./output/live-picture.ts";
import { clipLine, fitLines } from "./output/screen-text.ts";
import type { Screen } from "./terminal.ts";

/** Shows text that changes, such as a list that is watched. */
export interface LiveView extends Disposable {
  /** Shows it as it is now, in lines. */
  show(text: string): void;
  /** Says that it cannot be looked at. */
  lost(reason: string): void;
  /** Says that it can be looked at again. */
  found(): void;
}

/**
 * On a screen one picture that is drawn over the one before; elsewhere each new text behind the one before, with
 * `separator` between them, and what goes wrong on stderr. There `repeats` asks for texts that are not new, too.
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
    // Blanks that fill up a column would take lines of their own where the screen is narrow.
    this.#text = text.replaceAll(/ +$/gm, "");
    this.#draw(this.#context.paint.faint("Watching; Ctrl-C ends it."));
  }

  lost(reason: string): void {
    this.#draw(
      this.#context.paint.bad(`fluxd is unavailable, trying again: ${reason.replaceAll("\n", " ")}`),
    );
  }

  found(): void {
    this.show(this.#text);
  }

  [Symbol.dispose](): void {
    this.#picture[Symbol.dispose]();
  }

  #draw(footer: string): void {
    const [columns, rows] = [this.#screen.columns(), this.#screen.rows()];
    // Below the lines are the footer and the cursor.
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
      this.#warn(`fluxd is unavailable, trying again: ${reason}`);
    }
  }

  found(): void {
    this.#isLost = false;
    this.#context.err("fluxd answers again.\n");
  }

  [Symbol.dispose](): void {
    // Nothing is held.
  }

  #warn(text: string): void {
    const { err, errPaint } = this.#context;
    err(`${errPaint.pending("Warning:")} ${text}\n`);
  }
}
