import type { LuaLimits } from "../../src/lua/vm/budget.ts";
import { compileLua } from "../../src/lua/vm/compile.ts";
import { evaluateLua } from "../../src/lua/vm/evaluate.ts";
import { fromBytes, toBytes } from "../../src/lua/vm/text.ts";
import type { LuaValue } from "../../src/lua/vm/value.ts";

/** Limits that a test doesn't reach by accident. */
export const wideLimits: LuaLimits = { steps: 1_000_000, bytes: 16 * 1024 * 1024, depth: 100 };

/** Runs a script with these globals, and returns its first result. */
export function runLua(
  source: string,
  globals: Readonly<Record<string, unknown>> = {},
  limits: LuaLimits = wideLimits,
): LuaValue {
  const result = evaluateLua(compileLua(toBytes(source)), { globals, now: 86_400_000, limits });
  return typeof result === "string" ? fromBytes(result) : result;
}

/** The values of an expression as text: strings in quotes, separated by bars. */
export function showLua(expressions: string): LuaValue {
  return runLua(`
    local function show(...)
      local out = {}
      for i = 1, select("#", ...) do
        local value = select(i, ...)
        out[i] = type(value) == "string" and '"' .. value .. '"' or tostring(value)
      end
      return table.concat(out, "|")
    end
    return show(${expressions})`);
}
