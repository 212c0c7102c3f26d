import type { FluxdFlags } from "./flags.ts";
import { type Log, StartupError, verifyModeOf } from "./startup-checks.ts";

/** A use of a flag that must not be ignored silently. */
interface Refusal {
  readonly flag: string;
  readonly asked: (flags: FluxdFlags) => boolean;
  readonly remedy: string;
}

const unsigned =
  "without it, fluxd would apply unverified commits. Keep using Flux for this repository, or protect the branch on the git server and remove the flag";
const encrypted =
  "without it, fluxd would apply encrypted files without decrypting them. Keep using Flux for this repository, or remove the flag if no file is encrypted";

/** Flags that would weaken security if they were ignored. */
const refusals: readonly Refusal[] = [
  {
    flag: "--git-verify-signatures-mode",
    asked: (flags) => verifyModeOf(flags) !== "none",
    remedy: unsigned,
  },
  {
    flag: "--git-signing-key",
    asked: ({ gitSigningKey }) => gitSigningKey.value !== "",
    remedy: "without it, commits wouldn't be signed. Keep using Flux for this repository, or remove the flag",
  },
  {
    flag: "--git-gpg-key-import",
    asked: ({ gitGpgKeyImport }) => gitGpgKeyImport.value.length > 0,
    remedy:
      "fluxd doesn't sign, verify, or decrypt anything with these keys. Remove the flag if you don't need that",
  },
  { flag: "--git-secret", asked: ({ gitSecret }) => gitSecret.value, remedy: encrypted },
  { flag: "--sops", asked: ({ sops }) => sops.value, remedy: encrypted },
];

/** Flags for programs that Weir doesn't use: it runs no kubectl and has no klog. */
const withoutEffect = ["kubernetesKubectl", "k8sVerbosity"] as const satisfies readonly (keyof FluxdFlags)[];

/** Throws StartupError for a flag that this version doesn't support and that must not be ignored. */
export function refuseUnsupported(flags: FluxdFlags): void {
  const refusal = refusals.find(({ asked }) => asked(flags));
  if (refusal !== undefined) {
    throw new StartupError({
      err: `${refusal.flag} isn't supported yet; ${refusal.remedy}`,
    });
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
