import type { LuaTable, LuaValue, Run } from "./value.ts";

/** A local variable that functions share. */
export interface Cell {
  value: LuaValue;
}

/** The variables of one call of a function. */
export interface Frame {
  readonly run: Run;
  readonly globals: LuaTable;
  /** By slot: values, or cells for variables that are captured. */
  readonly slots: (LuaValue | Cell)[];
  readonly upvalues: readonly Cell[];
  readonly varargs: readonly LuaValue[];
}

/** Compiled code for one value. */
export type Evaluate = (frame: Frame) => LuaValue;

/** Compiled code for any number of values. */
export type EvaluateAll = (frame: Frame) => readonly LuaValue[];
