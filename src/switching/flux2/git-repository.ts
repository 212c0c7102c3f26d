import type { JsonObject } from "@weir/base";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";
import { verifyModeOf } from "../../fluxd-flags/verify-mode.ts";
import { apiVersions, type ExportedObject } from "./exported-object.ts";
import type { Flux2Url } from "./git-url.ts";
import { printInterval, printTimeout } from "./interval.ts";
import type { SecretNames } from "./secret-names.ts";

/** What all objects of an export share. */
export interface Source {
  readonly name: string;
  readonly namespace: string;
  readonly url: Flux2Url;
  readonly secrets: SecretNames;
}

/** The GitRepository: what to fetch, how often, and which signatures to require. */
export function gitRepository(flags: FluxdFlags, source: Source): ExportedObject {
  const { name, namespace, url, secrets } = source;
  const isVerified = (verifyModeOf(flags) ?? "none") !== "none";
  const spec: JsonObject = {
    interval: printInterval(flags.gitPollInterval.value),
    timeout: printTimeout(Math.max(flags.gitTimeout.value, shortestTimeout)),
    url: url.url,
    ref: { branch: flags.gitBranch.value },
    ...(url.access === "open" ? {} : { secretRef: { name: secrets.git } }),
    ...(isVerified ? { verify: { mode: "HEAD", secretRef: { name: secrets.publicKeys } } } : {}),
  };
  return {
    object: { apiVersion: apiVersions.source, kind: "GitRepository", metadata: { name, namespace }, spec },
    comments: [
      ...(url.access === "open" ? [] : [`Secret ${secrets.git} must be created first: see "Secrets" above.`]),
      ...(isVerified
        ? ["Flux v2 verifies only the newest commit. Flux v1 verified all commits since the last sync."]
        : []),
    ],
  };
}

/** The default of Flux v2, which clones each time; Flux v1 keeps a mirror. */
const shortestTimeout = 60_000;
