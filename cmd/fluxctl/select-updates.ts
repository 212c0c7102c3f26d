import type { UpdateResult } from "../../src/update/result.ts";
import type { ReleaseContainersSpec } from "../../src/update/spec.ts";
import { chosenUpdates, type Menu, openMenu, parseMenuKeys, pressKey, printMenu } from "./menu.ts";
import type { Terminal } from "./terminal.ts";

const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";

/** There is nobody to ask. */
export class NoTerminalError extends Error {
  override readonly name = "NoTerminalError";

  constructor(options?: ErrorOptions) {
    super(
      "--interactive needs a terminal; leave it out, or use --dry-run to see what would be done",
      options,
    );
  }
}

/**
 * Lets a person choose among the updates of a result. Resolves to undefined, and says why, where there is nothing to
 * choose or the person does not want to. Rejects with NoTerminalError where there is no keyboard.
 */
export async function selectUpdates(
  result: UpdateResult,
  verbosity: number,
  terminal: Terminal,
): Promise<ReleaseContainersSpec["containers"] | undefined> {
  const menu = openMenu(result, verbosity);
  if (menu.choices.length === 0) {
    terminal.err("No changes found.\n");
    return undefined;
  }
  const last = await useMenu(menu, terminal);
  if (last === undefined) {
    terminal.err("Aborted.\n");
  }
  return last && chosenUpdates(last);
}

/** The menu as it was submitted; undefined where it was aborted. */
async function useMenu(first: Menu, terminal: Terminal): Promise<Menu | undefined> {
  using keyboard = openKeyboard(terminal);
  let menu = first;
  let picture = draw(menu, "", terminal);
  terminal.out(hideCursor);
  try {
    for await (const input of keyboard.input) {
      for (const key of parseMenuKeys(input)) {
        if (key === "abort" || key === "submit") {
          return key === "submit" ? menu : undefined;
        }
        menu = pressKey(menu, key);
      }
      picture = draw(menu, picture, terminal);
    }
    return undefined;
  } finally {
    terminal.out(showCursor);
  }
}

function openKeyboard(terminal: Terminal) {
  try {
    const keyboard = terminal.openKeyboard?.();
    if (keyboard !== undefined) {
      return keyboard;
    }
  } catch (error) {
    throw new NoTerminalError({ cause: error });
  }
  throw new NoTerminalError();
}

/** Draws a menu over the picture of the one before, and returns its own. */
function draw(menu: Menu, before: string, { out, columns }: Terminal): string {
  // A terminal that does not know its size has 0 columns.
  const lines = linesOf(before, columns?.() || Number.POSITIVE_INFINITY);
  const picture = printMenu(menu);
  out(`${lines === 0 ? "" : `\x1b[${lines}A`}${picture}`);
  return picture;
}

/** How many lines of the screen a text takes, where longer ones go on in the next. */
function linesOf(text: string, columns: number): number {
  const lines = text.split("\n").slice(0, -1);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(Array.from(line).length / columns)), 0);
}
