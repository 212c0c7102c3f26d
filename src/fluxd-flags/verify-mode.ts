import type { FluxdFlags } from "./flags.ts";

const verifyModes = ["none", "all", "first-parent"] as const;

/** Which commits must be signed. */
export type VerifyMode = (typeof verifyModes)[number];

/** Which commits must be signed; undefined for an unknown mode. */
export function verifyModeOf(flags: FluxdFlags): VerifyMode | undefined {
  const mode = flags.gitVerifySignaturesMode;
  if (flags.gitVerifySignatures.value && !mode.isSet) {
    return "all";
  }
  return mode.value === "" ? "none" : verifyModes.find((each) => each === mode.value);
}
