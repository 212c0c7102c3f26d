import { flagsOf, parseArguments } from "@weir/cli";
import { allowedNamespacesOf } from "../fluxd-flags/allowed-namespaces.ts";
import { declareFluxdFlags, type FluxdFlags } from "../fluxd-flags/flags.ts";
import type { DaemonPod } from "./daemon-pod.ts";

/** The command line of a fluxd as it reads it. */
export interface DaemonArguments {
  readonly flags: FluxdFlags;
  /** Why it could not be read; "" where it could. Then some of the flags have their defaults. */
  readonly error: string;
  /** What stands in front of the flags where the Deployment names a program; empty for the image's own. */
  readonly program: readonly string[];
}

/** Reads the arguments of a fluxd, with the variables that Kubernetes puts in. */
export function readDaemonArguments({ command, args, env }: DaemonPod): DaemonArguments {
  const words = [...command, ...args].map((word) => expand(word, env));
  const start = command.length === 0 ? 0 : words.findIndex((word) => word.startsWith("-") && word !== "--");
  const end = start === -1 ? words.length : start;
  const flags = declareFluxdFlags("/root");
  const { error } = parseArguments(words.slice(end), flagsOf(flags));
  return { flags, error: error?.message ?? "", program: words.slice(0, end) };
}

/** `$(NAME)` becomes the variable where that is spelled out, and stays where it is not; `$$(NAME)` is `$(NAME)`. */
function expand(word: string, env: ReadonlyMap<string, string>): string {
  return word.replaceAll(/\$\$|\$\(([A-Za-z_.][\w.-]*)\)/g, (found: string, name?: string) =>
    name === undefined ? "$" : (env.get(name) ?? found),
  );
}

/** Which objects a sync is about and how it is done, as far as flags say that. */
export interface SyncFlags {
  readonly url: string;
  readonly branch: string;
  readonly paths: readonly string[];
  readonly allowedNamespaces: readonly string[];
  readonly excludedKinds: readonly string[];
  readonly prune: "on" | "off" | "dry-run";
  readonly quarantine: boolean;
  readonly manifestGeneration: boolean;
  readonly syncTimeout: number;
}

/** The same of the flags of a fluxd. An empty --git-path, which the chart passes, is none. */
export function syncFlagsOf(flags: FluxdFlags): SyncFlags {
  return {
    url: flags.gitUrl.value,
    branch: flags.gitBranch.value,
    paths: flags.gitPath.value,
    allowedNamespaces: allowedNamespacesOf(flags),
    excludedKinds: flags.k8sUnsafeExcludeResource.value,
    prune: flags.syncGarbageCollectionDry.value
      ? "dry-run"
      : flags.syncGarbageCollection.value
        ? "on"
        : "off",
    quarantine: flags.syncQuarantine.value,
    manifestGeneration: flags.manifestGeneration.value,
    syncTimeout: flags.syncTimeout.value,
  };
}
