import { nativeFunction, tableOf } from "./library/arguments.ts";
import { baseLibrary } from "./library/base.ts";
import { mathTable } from "./library/math.ts";
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

/** A new environment, which a script may change. */
export function createEnvironment(): Environment {
  const globals = tableOf(baseLibrary);
  const strings = tableOf(stringLibrary);
  const libraries = new Map([
    ["math", mathTable()],
    ["os", tableOf(osLibrary)],
    ["string", strings],
    ["table", tableOf(tableLibrary)],
  ]);
  for (const [name, table] of libraries) {
    globals.set(name, table);
  }
  globals.set("_G", globals);
  globals.set("_VERSION", "Lua 5.1");
  // For scripts that begin with `local os = require("os")`.
  const require = nativeFunction("require", (args) => {
    const found = libraries.get(args.text(0));
    if (found === undefined) {
      throw errorAt(args.run, `there are no modules except ${[...libraries.keys()].join(", ")}`);
    }
    return [found];
  });
  globals.set("require", require);
  return { globals, strings };
}
