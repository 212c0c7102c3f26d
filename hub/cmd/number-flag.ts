import { StartError } from "../src/program/start-error.ts";
import type { ServeFlags } from "./flags.ts";

/** A flag whose value is a whole number. */
export type NumberFlag = ServeFlags["keepEvents"];

/** The value. Throws StartError if it's less than one; that says what it would mean, such as "keeps nothing". */
export function atLeastOne({ declaration, value }: NumberFlag, consequence: string): number {
  if (value < 1) {
    throw new StartError(`--${declaration.name}=${value} ${consequence}: it has to be at least 1`);
  }
  return value;
}
