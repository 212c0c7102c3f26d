import { nativeFunction } from "./library/arguments.ts";
import { baseLibrary } from "./library/base.ts";
import { mathLibrary } from "./library/math.ts";
import { osLibrary } from "./library/os.ts";
import { stringLibrary } from "./library/string.ts";
import { tableLibrary } from "./library/table.ts";
import { errorAt } from "./operations.ts";
import type { LuaTable } from "./value.ts";

/** The globals of an evaluation, and the methods of strings. */
export interface Environment {
  readonly globals: LuaTable;
  readonly strings: LuaTable;
}

/** A new environment, which a script may change. Takes the time of the evaluation, in milliseconds since the epoch. */
export function createEnvironment(now: number): Environment {
  const globals = baseLibrary();
  const strings = stringLibrary();
  const libraries = { math: mathLibrary(), os: osLibrary(now), string: strings, table: tableLibrary() };
  const known = new Map<string, LuaTable>(Object.entries(libraries));
  for (const [name, table] of known) {
    globals.set(name, table);
  }
  const require = nativeFunction("require", (args) => {
    const found = known.get(args.text(0));
    if (found === undefined) {
      throw errorAt(args.run, `there are no modules except ${[...known.keys()].join(", ")}`);
    }
    return [found];
  });
  globals.set("require", require);
  return { globals, strings };
}
