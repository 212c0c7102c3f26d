import type { World } from "./world.ts";

/** Something hostile that is done to a fluxd which runs. */
export interface Attack {
  readonly name: string;
  /** Carries it out, and takes it back; resolves to what became of it. Rejects where it got through. */
  run(world: World): Promise<string>;
}

/** Throws where something holds that must not. */
export function refuse(isBad: boolean, what: string): void {
  if (isBad) {
    throw new Error(what);
  }
}
