import type { Remark } from "./model.ts";

const keys: readonly (readonly [key: string, what: string])[] = [
  ["up down k j", "move; PgUp and PgDn by a page, g and G to the ends"],
  ["right left space", "open or close a node; left on a closed one goes up"],
  ["enter", "details: why it is unhealthy, images, policies, events"],
  ["/", "filter by words in name, state, file, or message; Esc clears"],
  ["!", "show only what is unhealthy or differs from git"],
  ["d", "diff of the selected resource; D of everything"],
  ["r", "release an image of the selected workload; asks before it commits"],
  ["l", "lock or unlock the selected workload, with a reason"],
  ["e", "events"],
  ["q", "back, or quit; Ctrl-C always quits"],
];

const marks: readonly (readonly [mark: string, what: string])[] = [
  ["= synced", "as in git"],
  ["~ pending", "in git, and the next sync applies it"],
  ["# drift", "everything in git was applied, then it was changed in the cluster"],
  ["~ differs", "pending or drift; fluxd could not say which"],
  ["- obsolete", "no longer in git"],
  ["i ignored", "syncs leave it as it is"],
  ["ok healthy", "works"],
  [".. progressing", "on its way"],
  ["!! degraded", "does not work"],
  ["no missing", "not in the cluster"],
  ["|| suspended", "paused on purpose"],
  ["?? unknown", "cannot be told"],
];

/** The text of the help page. */
export const help: readonly Remark[] = [
  { tone: "heading", text: "Keys" },
  ...keys.map(([key, what]) => entry(key, what)),
  { tone: "heading", text: "Marks" },
  ...marks.map(([mark, what]) => entry(mark, what)),
];

function entry(name: string, what: string): Remark {
  return { tone: "plain", text: `${name}: ${what}` };
}
