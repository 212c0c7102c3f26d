import type { FluxdFlags } from "./flags.ts";
import { type Log, StartupError, verifyModeOf } from "./startup-checks.ts";

/** A use of a flag that must not be passed over in silence. */
interface Refusal {
  readonly flag: string;
  readonly asked: (flags: FluxdFlags) => boolean;
  readonly remedy: string;
}

const unsigned =
  "without it commits would be taken as they come. Keep running Flux for this repository, or protect the branch at the git server and leave the flag out";
const encrypted =
  "without it encrypted files would reach the cluster as they are. Keep running Flux for this repository, or leave the flag out where no file is encrypted";

/** What would weaken somebody's safety if it were ignored. */
const refusals: readonly Refusal[] = [
  {
    flag: "--git-verify-signatures-mode",
    asked: (flags) => verifyModeOf(flags) !== "none",
    remedy: unsigned,
  },
  {
    flag: "--git-signing-key",
    asked: ({ gitSigningKey }) => gitSigningKey.value !== "",
    remedy:
      "without it commits would not be signed. Keep running Flux for this repository, or leave the flag out",
  },
  {
    flag: "--git-gpg-key-import",
    asked: ({ gitGpgKeyImport }) => gitGpgKeyImport.value.length > 0,
    remedy:
      "nothing would be signed, verified or decrypted with these keys. Leave the flag out where nothing is",
  },
  { flag: "--git-secret", asked: ({ gitSecret }) => gitSecret.value, remedy: encrypted },
  { flag: "--sops", asked: ({ sops }) => sops.value, remedy: encrypted },
];

/** Flags about programs that are not used: Weir starts no kubectl and has no klog. */
const withoutEffect = ["kubernetesKubectl", "k8sVerbosity"] as const satisfies readonly (keyof FluxdFlags)[];

/** Throws StartupError for a flag that this version cannot honour and that must not be ignored. */
export function refuseUnsupported(flags: FluxdFlags): void {
  const refusal = refusals.find(({ asked }) => asked(flags));
  if (refusal !== undefined) {
    throw new StartupError({
      err: `${refusal.flag} is not supported by this version of Weir yet; ${refusal.remedy}`,
    });
  }
}

/** Says once which flags were given in vain. */
export function tellOfUselessFlags(flags: FluxdFlags, log: Log): void {
  const given = withoutEffect.map((key) => flags[key]).filter(({ isSet }) => isSet);
  if (given.length > 0) {
    log({
      info: "ignoring flags for programs that Weir does not use",
      flags: given.map(({ declaration }) => `--${declaration.name}`).join(","),
    });
  }
}
