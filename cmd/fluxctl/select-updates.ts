import type { UpdateResult } from "../../src/update/result.ts";
import type { ReleaseContainersSpec } from "../../src/update/spec.ts";
import type { CommandContext } from "./command.ts";
import { chosenUpdates, type Menu, openMenu, parseMenuKeys, pressKey, printMenu } from "./menu.ts";
import { LivePicture } from "./output/live-picture.ts";
import type { Keyboard, Screen } from "./terminal.ts";

/** What a menu needs of what a command runs with. */
type MenuTerminal = Pick<CommandContext, "out" | "err" | "screen" | "openKeyboard" | "paint" | "signal">;

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

/** The menu as it was submitted; undefined where it was aborted. */
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
  { screen, out, paint }: MenuTerminal,
): Promise<Menu | undefined> {
  using picture = new LivePicture(screen ?? unknownScreen, out);
  let menu = first;
  picture.draw(printMenu(menu, paint));
  for await (const keys of input) {
    for (const key of parseMenuKeys(keys)) {
      if (key === "abort" || key === "submit") {
        return key === "submit" ? menu : undefined;
      }
      menu = pressKey(menu, key);
    }
    picture.draw(printMenu(menu, paint));
  }
  return undefined;
}

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
