/**
 * Health scripts in Lua, as Argo CD has them: takes their sources, and returns overrides for an engine. The
 * interpreter is our own, so that every operation of a script can be counted.
 */
export { LuaFolderError, type LuaOptions, type LuaScripts, luaHealthRules } from "./health-rules.ts";
export { readLuaScripts } from "./read-scripts.ts";
export type { LuaLimits } from "./vm/budget.ts";
