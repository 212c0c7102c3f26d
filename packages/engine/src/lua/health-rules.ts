import { type Clock, luaLimits, systemClock } from "@weir/base";
import type { ResourceOverride, ResourceOverrides } from "../health/overrides.ts";
import { HealthScript } from "./health-script.ts";
import type { LuaLimits } from "./vm/budget.ts";

/**
 * The sources of scripts, by folder as in Argo CD: "group/Kind", or "Kind" for the core group. An underscore
 * stands for any kind, and for the first labels of a group: "_.crossplane.io/_".
 */
export type LuaScripts = ReadonlyMap<string, string>;

/** How scripts are run. */
export interface LuaOptions {
  /** The time that scripts see; by default, the machine's. */
  readonly clock?: Pick<Clock, "now">;
  /** What each evaluation may use; what's absent has its default, in luaLimits of `@weir/base`. */
  readonly limits?: Partial<LuaLimits>;
}

/** The folder of a script doesn't name a kind. */
export class LuaFolderError extends Error {
  override readonly name = "LuaFolderError";
  readonly folder: string;

  constructor(folder: string) {
    super(
      `${JSON.stringify(folder)} is not "group/Kind" or "Kind", in which _ can stand for the kind or for the first labels of the group`,
    );
    this.folder = folder;
  }
}

/**
 * Overrides that judge objects with Argo CD's health.lua scripts, unchanged. A script is compiled when it's
 * first used. Scripts can do nothing but compute: they have `table`, `string`, `math`, `os.time`, and `os.date`.
 * If one fails, or exceeds a limit, the object is Unknown, with a message that names the kind. If several
 * folders match a kind, the most specific one counts. Throws LuaFolderError.
 */
export function luaHealthRules(
  scripts: LuaScripts,
  { clock = systemClock, limits }: LuaOptions = {},
): ResourceOverrides {
  const given = { ...luaLimits, ...limits };
  return Object.fromEntries(
    [...scripts].map(([folder, source]): [string, ResourceOverride] => {
      const key = keyOf(folder);
      const script = new HealthScript(source, key);
      return [key, { health: (live) => script.healthOf(live, { now: clock.now(), limits: given }) }];
    }),
  );
}

/** "_.crossplane.io/_" → "*.crossplane.io/*". */
function keyOf(folder: string): string {
  const parts = /^(?:((?:_|[^_./]+)(?:\.[^_./]+)*)\/)?(_|[^_./]+)$/.exec(folder);
  if (parts === null) {
    throw new LuaFolderError(folder);
  }
  const [, group = "", kind = ""] = parts;
  return `${group.replace("_", "*")}/${kind.replace("_", "*")}`;
}
