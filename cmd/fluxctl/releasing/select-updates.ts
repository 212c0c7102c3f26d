import type { ReleaseContainersSpec, UpdateResult } from "@weir/flux";
import type { CommandContext } from "../command.ts";
import { LivePicture } from "../output/live-picture.ts";
import type { Paint } from "../output/paint.ts";
import { linesOnScreen } from "../output/screen-text.ts";
import type { Keyboard, Screen } from "../terminal.ts";
import { chosenUpdates, type Menu, openMenu, parseMenuKeys, pressKey, printMenu } from "./menu.ts";

/** The parts of a command's environment that a menu needs. */
type MenuTerminal = Pick<
  CommandContext,
  "out" | "err" | "screen" | "openKeyboard" | "paint" | "door" | "signal"
>;

/**
 * Lets a person select updates of a result. If there is nothing to select or the person aborts, prints the
 * reason and resolves to undefined. Rejects with NoTerminalError without a keyboard.
 */
export async function selectUpdates(
  result: UpdateResult,
  verbosity: number,
  terminal: MenuTerminal,
): Promise<ReleaseContainersSpec["containers"] | undefined> {
  const menu = openMenu(result, verbosity, terminal.paint);
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

/** There is no terminal to show the menu on. */
export class NoTerminalError extends Error {
  override readonly name = "NoTerminalError";

  constructor(options?: ErrorOptions) {
    super(
      "--interactive needs a terminal; leave it out, or use --dry-run to see what would be done",
      options,
    );
  }
}

/** The submitted menu; undefined if it was aborted. */
async function useMenu(first: Menu, terminal: MenuTerminal): Promise<Menu | undefined> {
  using keyboard = openKeyboard(terminal);
  const close = (): void => keyboard[Symbol.dispose]();
  terminal.signal.addEventListener("abort", close, { once: true });
  try {
    return await chooseByKeys(first, keyboard, terminal);
  } finally {
    terminal.signal.removeEventListener("abort", close);
  }
}

async function chooseByKeys(
  first: Menu,
  { input }: Keyboard,
  { screen, out, paint, door }: MenuTerminal,
): Promise<Menu | undefined> {
  const shown = screen ?? unknownScreen;
  using picture = new LivePicture(shown, out, door);
  const draw = (): void => picture.draw(pictureFor(menu, paint, shown));
  let menu = first;
  draw();
  for await (const keys of input) {
    for (const key of parseMenuKeys(keys)) {
      if (key === "abort" || key === "submit") {
        return key === "submit" ? menu : undefined;
      }
      menu = pressKey(menu, key);
    }
    draw();
  }
  return undefined;
}

/** A menu with as many rows as fit on the terminal, including wrapped ones. */
function pictureFor(menu: Menu, paint: Paint, screen: Screen): string {
  const [columns, rows] = [screen.columns(), screen.rows()];
  if (rows === 0) {
    return printMenu(menu, paint);
  }
  // The cursor is below the last line.
  let room = rows - 1;
  while (room > fewestLines && linesOnScreen(printMenu(menu, paint, room), columns) > rows - 1) {
    room -= 1;
  }
  return printMenu(menu, paint, room);
}

/** The lines of a menu with one visible row. */
const fewestLines = 6;

const unknownScreen: Screen = { columns: () => 0, rows: () => 0 };

function openKeyboard(terminal: MenuTerminal) {
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
