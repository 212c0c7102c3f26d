/** Decides from the flags of `fluxctl diff` what to compare with what. */
import { UsageError } from "../command.ts";

/** The flags that determine what's compared; "" if they aren't given. */
export interface DiffFlags {
  readonly ref: string;
  readonly local: string;
  readonly offline: boolean;
  readonly against: string;
  readonly snapshot: string;
  readonly saveSnapshot: string;
  readonly runGenerators: boolean;
  /** The names of given flags that replace fluxd's settings. */
  readonly settings: readonly string[];
}

/** What to compare with what. */
export type DiffMode =
  /** What git has with the cluster, by fluxd. */
  | { readonly kind: "git"; readonly ref: string }
  /** A folder with the cluster. */
  | { readonly kind: "local"; readonly dir: string }
  /** A folder with another one, or with a snapshot. */
  | { readonly kind: "offline"; readonly dir: string; readonly against: string; readonly snapshot: string }
  | { readonly kind: "save"; readonly file: string };

/** The mode that the flags ask for. Throws UsageError for flags that contradict each other. */
export function diffModeOf(flags: DiffFlags): DiffMode {
  const { ref, local, offline, against, snapshot, saveSnapshot } = flags;
  if (saveSnapshot !== "") {
    refuse("--save-snapshot", [
      ["--ref", ref !== ""],
      ["--local", local !== ""],
      ["--offline", offline],
      ...offlineOnly(flags),
    ]);
    return { kind: "save", file: saveSnapshot };
  }
  if (offline) {
    refuse("--offline", [["--ref", ref !== ""]]);
    if (local === "") {
      throw new UsageError("--offline needs --local with the folder to compare");
    }
    return { kind: "offline", dir: local, against, snapshot };
  }
  const [given] = offlineOnly(flags).filter(([, isGiven]) => isGiven);
  if (given !== undefined) {
    throw new UsageError(`${given[0]} needs --offline: with a cluster, fluxd's own settings count`);
  }
  if (local !== "") {
    refuse("--local", [["--ref", ref !== ""]]);
    return { kind: "local", dir: local };
  }
  if (flags.runGenerators) {
    throw new UsageError("--run-generators needs --local: otherwise, fluxd runs the generators");
  }
  return { kind: "git", ref };
}

type Given = readonly [flag: string, isGiven: boolean];

function offlineOnly({ against, snapshot, settings }: DiffFlags): readonly Given[] {
  return [
    ["--against", against !== ""],
    ["--snapshot", snapshot !== ""],
    ...settings.map((name): Given => [`--${name}`, true]),
  ];
}

function refuse(flag: string, others: readonly Given[]): void {
  const [other] = others.filter(([, isGiven]) => isGiven);
  if (other !== undefined) {
    throw new UsageError(`${flag} and ${other[0]} can't be combined`);
  }
}
