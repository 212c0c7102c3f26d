import type { FluxdFlags } from "./flags.ts";
import { type Log, StartupError, verifyModeOf } from "./startup-checks.ts";

/** A flag that must not be ignored, because that would weaken security. */
interface Refusal {
  readonly flag: string;
  readonly isAsked: (flags: FluxdFlags) => boolean;
  /** What would happen if it were ignored, and what to do, as sentences. */
  readonly advice: string;
}

const keepFlux = "Otherwise, keep running Flux v1 for this repository";
const unverified = `commits would be applied without verification. If the git server accepts only trusted commits on the branch, remove the flag. ${keepFlux}`;
const encrypted = `encrypted files would be applied as they are. If no file is encrypted, remove the flag. ${keepFlux}`;

const refusals: readonly Refusal[] = [
  {
    flag: "--git-verify-signatures",
    isAsked: (flags) => verifyModeOf(flags) !== "none" && !flags.gitVerifySignaturesMode.isSet,
    advice: unverified,
  },
  {
    flag: "--git-verify-signatures-mode",
    isAsked: (flags) => verifyModeOf(flags) !== "none" && flags.gitVerifySignaturesMode.isSet,
    advice: unverified,
  },
  {
    flag: "--git-signing-key",
    isAsked: ({ gitSigningKey }) => gitSigningKey.value !== "",
    advice: `commits would not be signed. If nobody verifies them, remove the flag. ${keepFlux}`,
  },
  {
    flag: "--git-gpg-key-import",
    isAsked: ({ gitGpgKeyImport }) => gitGpgKeyImport.value.length > 0,
    advice: `the keys would not be used. If nothing is signed, verified, or encrypted with them, remove the flag. ${keepFlux}`,
  },
  { flag: "--git-secret", isAsked: ({ gitSecret }) => gitSecret.value, advice: encrypted },
  { flag: "--sops", isAsked: ({ sops }) => sops.value, advice: encrypted },
];

/** The flags that fluxd refuses, unless their value turns them off. */
export const refusedFlags: readonly string[] = refusals.map(({ flag }) => flag);

/** Flags about programs that are not used: Weir starts no kubectl and has no klog. */
const withoutEffect = ["kubernetesKubectl", "k8sVerbosity"] as const satisfies readonly (keyof FluxdFlags)[];

/** Throws StartupError that names all flags of the command line that this version refuses. */
export function refuseUnsupported(flags: FluxdFlags): void {
  const asked = refusals.filter(({ isAsked }) => isAsked(flags));
  if (asked.length > 0) {
    const sentences = asked.map(
      ({ flag, advice }) => `${flag} is not supported by this version of Weir yet: ${advice}`,
    );
    throw new StartupError({ err: sentences.join(". ") });
  }
}

/** Logs once which flags have no effect. */
export function warnOfUselessFlags(flags: FluxdFlags, log: Log): void {
  const given = withoutEffect.map((key) => flags[key]).filter(({ isSet }) => isSet);
  if (given.length > 0) {
    log({
      info: "ignoring flags for programs that Weir doesn't use",
      flags: given.map(({ declaration }) => `--${declaration.name}`).join(","),
    });
  }
}
