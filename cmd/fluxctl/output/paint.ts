import type { Screen, Terminal } from "../terminal.ts";
import type { Door } from "./door.ts";

/** Gives a text a colour, by what it says; or leaves it as it is. */
export interface Paint {
  readonly heading: (text: string) => string;
  /** As it should be. */
  readonly good: (text: string) => string;
  /** On its way, or to be looked at. */
  readonly pending: (text: string) => string;
  /** Wrong. */
  readonly bad: (text: string) => string;
  /** Beside the matter. */
  readonly faint: (text: string) => string;
}

const asItIs = (text: string): string => text;

/** Leaves every text as it is. */
export const plain: Paint = { heading: asItIs, good: asItIs, pending: asItIs, bad: asItIs, faint: asItIs };

function coloured(door: Door): Paint {
  const paintedWith = (code: number) => (text: string) => paint(text, code, door);
  return {
    heading: paintedWith(1),
    good: paintedWith(32),
    pending: paintedWith(33),
    bad: paintedWith(31),
    faint: paintedWith(2),
  };
}

/**
 * Colours where there is a screen that shows them; NO_COLOR (no-color.org), CLICOLOR=0 and TERM=dumb are obeyed,
 * and CLICOLOR_FORCE asks for colours without a screen. What is painted has to go through the door.
 */
export function paintFor(screen: Screen | undefined, env: Terminal["env"], door: Door): Paint {
  return usesColour(screen, env) ? coloured(door) : plain;
}

function usesColour(screen: Screen | undefined, env: Terminal["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") {
    return false;
  }
  if (!["", "0"].includes(env["CLICOLOR_FORCE"] ?? "")) {
    return true;
  }
  return screen !== undefined && env["CLICOLOR"] !== "0" && env["TERM"] !== "dumb";
}

/** An empty text stays empty, so that tables have no codes around nothing. */
function paint(text: string, code: number, door: Door): string {
  return text === "" ? "" : `${door.code(`[${code}m`)}${text}${door.code("[0m")}`;
}

/** The colour of a workload's status. */
export function paintStatus(paint: Paint, status: string): string {
  return paintBy(statusColours, paint, status);
}

/** The colour of what an update did to a workload. */
export function paintOutcome(paint: Paint, outcome: string): string {
  return paintBy(outcomeColours, paint, outcome);
}

/** The colour of how a resource stands to its manifest. */
export function paintSync(paint: Paint, sync: string): string {
  return paintBy(syncColours, paint, sync);
}

/** The colour of a resource's health. */
export function paintHealth(paint: Paint, health: string): string {
  return paintBy(healthColours, paint, health);
}

const syncColours: ReadonlyMap<string, keyof Paint> = new Map([
  ["Synced", "good"],
  ["OutOfSync", "pending"],
  ["Obsolete", "pending"],
  ["Ignored", "faint"],
]);

const healthColours: ReadonlyMap<string, keyof Paint> = new Map([
  ["Healthy", "good"],
  ["Progressing", "pending"],
  ["Suspended", "faint"],
  ["Missing", "bad"],
  ["Degraded", "bad"],
  ["Unknown", "pending"],
]);

const statusColours: ReadonlyMap<string, keyof Paint> = new Map([
  ["ready", "good"],
  ["deployed", "good"],
  ["updating", "pending"],
  ["started", "pending"],
  ["unknown", "faint"],
  ["error", "bad"],
  ["failed", "bad"],
]);

const outcomeColours: ReadonlyMap<string, keyof Paint> = new Map([
  ["success", "good"],
  ["skipped", "pending"],
  ["ignored", "faint"],
  ["unknown", "pending"],
  ["failed", "bad"],
]);

function paintBy(colours: ReadonlyMap<string, keyof Paint>, paint: Paint, word: string): string {
  const colour = colours.get(word);
  return colour === undefined ? word : paint[colour](word);
}
