import type { FluxdFlags } from "./flags.ts";

/** Flags about programs that are not used: Weir starts no kubectl and has no klog. */
const withoutEffect = ["kubernetesKubectl", "k8sVerbosity"] as const satisfies readonly (keyof FluxdFlags)[];

/** True for the name of a flag that is accepted and has no effect in Weir. */
export function isUseless(name: string, flags: FluxdFlags): boolean {
  return withoutEffect.some((key) => flags[key].declaration.name === name);
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
