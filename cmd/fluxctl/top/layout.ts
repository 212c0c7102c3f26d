import type { TopState } from "./model.ts";

/** How many lines each part of the screen has. */
export interface Layout {
  /** What fluxd is like: lost, or the banner. */
  readonly banner: number;
  /** The names of the columns. */
  readonly heading: number;
  /** The tree, or what covers it. */
  readonly body: number;
  /** The latest events, with a heading. */
  readonly events: number;
}

/** The first and the last line, which are always there. */
const fixed = 2;

/** Divides the screen. */
export function layoutOf({ rows, lost, banner, overlay }: TopState): Layout {
  const bannerLines = lost === "" && banner === "" ? 0 : 1;
  const covered = overlay !== undefined && overlay.kind !== "input";
  const heading = covered || rows < 8 ? 0 : 1;
  const room = Math.max(1, rows - fixed - bannerLines - heading);
  const events = covered || room < 14 ? 0 : Math.min(8, Math.floor(room / 4));
  return { banner: bannerLines, heading, body: room - events, events };
}

/** A list of which only a part is visible. */
export interface Window {
  /** The index of the selected item. */
  readonly selected: number;
  /** The index of the first item that was visible before. */
  readonly scroll: number;
  readonly room: number;
  readonly count: number;
}

/** The first visible item, moved as little as possible so that the selected one is visible. */
export function scrolledTo({ selected, scroll, room, count }: Window): number {
  const last = Math.max(0, count - room);
  const above = Math.min(scroll, selected);
  const below = Math.max(above, selected - room + 1);
  return Math.max(0, Math.min(below, last));
}
