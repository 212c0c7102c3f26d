import type { World } from "./world.ts";

/** An attack on a running fluxd. */
export interface Attack {
  readonly name: string;
  /** Runs the attack and undoes it; resolves to the outcome. Rejects if the attack succeeded. */
  run(world: World): Promise<string>;
}

/** Throws if a forbidden condition is true. */
export function refuse(isBad: boolean, what: string): void {
  if (isBad) {
    throw new Error(what);
  }
}
