import type { FluxdFlags } from "./flags.ts";
import { verifyModeOf } from "./verify-mode.ts";

/** A flag on a command line that must not be ignored, because that would weaken security. */
export interface RefusedUse {
  /** With its dashes. */
  readonly flag: string;
  /** What would happen if it were ignored. */
  readonly consequence: string;
  /** What to do, as sentences. */
  readonly advice: string;
}

interface Refusal extends RefusedUse {
  readonly isAsked: (flags: FluxdFlags) => boolean;
}

const keepFlux = "Otherwise, keep running Flux v1 for this repository";
const unverified = {
  consequence: "commits would be applied without verification",
  advice: `If the git server accepts only trusted commits on the branch, remove the flag. ${keepFlux}`,
};

const refusals: readonly Refusal[] = [
  {
    flag: "--git-verify-signatures",
    isAsked: (flags) => verifies(flags) && !flags.gitVerifySignaturesMode.isSet,
    ...unverified,
  },
  {
    flag: "--git-verify-signatures-mode",
    isAsked: (flags) => verifies(flags) && flags.gitVerifySignaturesMode.isSet,
    ...unverified,
  },
  {
    flag: "--git-signing-key",
    isAsked: ({ gitSigningKey }) => gitSigningKey.value !== "",
    consequence: "commits would not be signed",
    advice: `If nobody verifies them, remove the flag. ${keepFlux}`,
  },
];

/** The flags that fluxd refuses, unless their value turns them off. */
export const refusedFlags: readonly string[] = refusals.map(({ flag }) => flag);

/** Flags about programs that are not used: Weir starts no kubectl and has no klog. */
const withoutEffect = ["kubernetesKubectl", "k8sVerbosity"] as const satisfies readonly (keyof FluxdFlags)[];

/** The flags of a command line that this version of fluxd refuses. */
export function refusedUses(flags: FluxdFlags): readonly RefusedUse[] {
  return refusals
    .filter(({ isAsked }) => isAsked(flags))
    .map(({ flag, consequence, advice }) => ({ flag, consequence, advice }));
}

/** The flags of a command line that have no effect, with their dashes. */
export function uselessFlags(flags: FluxdFlags): readonly string[] {
  return withoutEffect
    .map((key) => flags[key])
    .filter(({ isSet }) => isSet)
    .map(({ declaration }) => `--${declaration.name}`);
}

/**
 * The first flag with an interval or time limit of zero or less, with its dashes; undefined if there's none. Flux v1
 * accepts these, and then uses all CPU time or fails whatever it does.
 */
export function timelessFlag(flags: FluxdFlags): string | undefined {
  const { gitPollInterval, gitTimeout, syncInterval, syncTimeout } = flags;
  const wrong = [gitPollInterval, gitTimeout, syncInterval, syncTimeout].find(({ value }) => value <= 0);
  return wrong && `--${wrong.declaration.name}`;
}

/** False for an unknown mode, which fluxd refuses for its value. */
function verifies(flags: FluxdFlags): boolean {
  return (verifyModeOf(flags) ?? "none") !== "none";
}
