import { goProgram } from "@weir/toolchain";

/**
 * The path of the fluxctl of Flux 1.25.4, built from Go's module proxy; the first call takes minutes. `fluxctl install`
 * doesn't work in it: its templates are a module that no module proxy has, and the folder `fluxctl/install` stands in for
 * it.
 */
export function genuineFluxctl(): Promise<string> {
  return goProgram("fluxctl", { programs: import.meta.dirname });
}
