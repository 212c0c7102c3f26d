import { flagsOf, parseArguments } from "@weir/cli";
import { allowedNamespacesOf } from "../fluxd-flags/allowed-namespaces.ts";
import { declareFluxdFlags, type FluxdFlags } from "../fluxd-flags/flags.ts";
import type { DaemonPod } from "./daemon-pod.ts";

/** fluxd's command line, parsed as fluxd does. */
export interface DaemonArguments {
  readonly flags: FluxdFlags;
  /** Why it can't be parsed; then some of the flags have their defaults. "" if it can. */
  readonly error: string;
  /** The words before the flags, if the Deployment names a program; empty for the image's entrypoint. */
  readonly program: readonly string[];
}

/** Parses fluxd's arguments, and expands variables as Kubernetes does. */
export function readDaemonArguments({ command, args, env }: DaemonPod): DaemonArguments {
  const words = [...command, ...args].map((word) => expand(word, env));
  const start = command.length === 0 ? 0 : words.findIndex((word) => word.startsWith("-") && word !== "--");
  const end = start === -1 ? words.length : start;
  const flags = declareFluxdFlags("/root");
  const { error } = parseArguments(words.slice(end), flagsOf(flags));
  return { flags, error: error?.message ?? "", program: words.slice(0, end) };
}

/** Replaces `$(NAME)` with the variable if the Deployment contains its value; `$$(NAME)` becomes `$(NAME)`. */
function expand(word: string, env: ReadonlyMap<string, string>): string {
  return word.replaceAll(/\$\$|\$\(([A-Za-z_.][\w.-]*)\)/g, (found: string, name?: string) =>
    name === undefined ? "$" : (env.get(name) ?? found),
  );
}

/** The flags that determine what a sync does, and to which objects. */
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

/** Reads them from fluxd's flags. An empty --git-path, as the chart passes it, means no path. */
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
