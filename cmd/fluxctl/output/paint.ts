import type { Screen, Terminal } from "../terminal.ts";
import type { Door } from "./door.ts";

/** Colors text by its meaning, or leaves it unchanged. */
export interface Paint {
  readonly heading: (text: string) => string;
  /** Everything is all right. */
  readonly good: (text: string) => string;
  /** In progress, or needs attention. */
  readonly pending: (text: string) => string;
  /** A problem. */
  readonly bad: (text: string) => string;
  /** Less important. */
  readonly faint: (text: string) => string;
}

const asItIs = (text: string): string => text;

/** Leaves text unchanged. */
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
 * Uses colors if there is a terminal that supports them. NO_COLOR (no-color.org), CLICOLOR=0, and TERM=dumb
 * turn them off, and CLICOLOR_FORCE turns them on without a terminal. Colored text must be sanitized by the
 * door.
 */
export function paintFor(screen: Screen | undefined, env: Terminal["env"], door: Door): Paint {
  return usesColour(screen, env) ? coloured(door) : plain;
}

/** Colors that tell things apart and mean nothing; a single one that leaves text unchanged without colors. */
export function tints(
  screen: Screen | undefined,
  env: Terminal["env"],
  door: Door,
): readonly ((text: string) => string)[] {
  const codes = [36, 32, 35, 33, 34, 96, 92, 95, 93, 94];
  return usesColour(screen, env) ? codes.map((code) => (text) => paint(text, code, door)) : [asItIs];
}

/** True if text for this screen should be colored. */
export function usesColour(screen: Screen | undefined, env: Terminal["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") {
    return false;
  }
  if (!["", "0"].includes(env["CLICOLOR_FORCE"] ?? "")) {
    return true;
  }
  return screen !== undefined && env["CLICOLOR"] !== "0" && env["TERM"] !== "dumb";
}

/** Empty text stays empty, so that empty table cells contain no codes. */
function paint(text: string, code: number, door: Door): string {
  return text === "" ? "" : `${door.code(`[${code}m`)}${text}${door.code("[0m")}`;
}

/** Colors a workload's status. */
export function paintStatus(paint: Paint, status: string): string {
  return paintBy(statusColours, paint, status);
}

/** Colors what an update did to a workload. */
export function paintOutcome(paint: Paint, outcome: string): string {
  return paintBy(outcomeColours, paint, outcome);
}

/** Colors a resource's sync status. */
export function paintSync(paint: Paint, sync: string): string {
  return paintBy(syncColours, paint, sync);
}

/** Colors a resource's health. */
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
