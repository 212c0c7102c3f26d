import { parseArgs } from "node:util";

/** What the stand-in takes from the flags of Flux v1; it ignores all others. */
export interface StandInSettings {
  readonly url: string;
  readonly branch: string;
  readonly paths: readonly string[];
  readonly syncTag: string;
  readonly notesRef: string;
  readonly user: string;
  readonly email: string;
  readonly keySecret: string;
  readonly memcachedHost: string;
  readonly scansImages: boolean;
  readonly manifestGeneration: boolean;
}

/** Reads a command line of Flux v1; missing flags have the defaults that they had there. */
export function parseStandInFlags(args: readonly string[]): StandInSettings {
  const { values } = parseArgs({ args: [...args], strict: false, allowPositionals: true });
  const text = (flag: string, fallback: string): string => {
    const value = values[flag];
    return typeof value === "string" ? value : fallback;
  };
  const label = text("git-label", "");
  return {
    url: text("git-url", ""),
    branch: text("git-branch", "master"),
    paths: text("git-path", "")
      .split(",")
      .filter((path) => path !== ""),
    syncTag: label === "" ? text("git-sync-tag", "flux-sync") : label,
    notesRef: label === "" ? text("git-notes-ref", "flux") : label,
    user: text("git-user", "Weave Flux"),
    email: text("git-email", "support@weave.works"),
    keySecret: text("k8s-secret-name", "flux-git-deploy"),
    memcachedHost: text("memcached-hostname", "memcached"),
    scansImages: values["registry-disable-scanning"] !== true,
    manifestGeneration: text("manifest-generation", "false") === "true",
  };
}
