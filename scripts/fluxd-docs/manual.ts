import { type AnyFlag, flagsOf } from "@weir/cli";
import { declareFlagGroups, declareFluxdFlags } from "../../src/fluxd-flags/flags.ts";
import { isUseless } from "../../src/fluxd-flags/support.ts";
import { notes } from "./notes.ts";

/** A recorded flag of Flux v1: its name, and the default that its help shows. */
export interface RecordedFlag {
  readonly name: string;
  readonly helpDefault: string | null;
  readonly hidden: boolean;
}

/** A flag in the manual. */
export interface FlagPage {
  readonly name: string;
  readonly shorthand: string | undefined;
  /** The type of the value; "" for a switch. */
  readonly value: string;
  readonly usage: string;
  /** The default as help prints it, but without quotes; "" if it's empty, zero, or off. */
  readonly standard: string;
  /** The default in Flux v1; undefined if Flux v1 doesn't have the flag. */
  readonly standardInFlux: string | undefined;
  /** What to use instead; undefined if the flag isn't deprecated. */
  readonly deprecated: string | undefined;
  /** Accepted, but without effect in Weir. */
  readonly useless: boolean;
  /** What the usage leaves open, in Markdown; "" if that's nothing. */
  readonly note: string;
}

/** Flags about one subject. */
export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly FlagPage[];
}

/** In place of the home folder, which differs from machine to machine. */
const home = "~";

const titles: Readonly<Record<keyof ReturnType<typeof declareFlagGroups>, string>> = {
  program: "Log, API, and version",
  git: "Git",
  signing: "Signatures and encrypted files",
  sync: "Sync",
  cache: "Cache of image metadata",
  registry: "Registries and image updates",
  kubernetes: "Cluster",
  ssh: "SSH key",
  upstream: "Upstream",
  own: "Only in Weir",
};

/** All flags of fluxd by subject, compared with those that were recorded of Flux v1. */
export function readFluxdManual(recorded: readonly RecordedFlag[]): readonly FlagGroup[] {
  const inFlux = new Map(recorded.map((flag) => [flag.name, flag]));
  const groups = declareFlagGroups(home);
  const keys = Object.keys(titles) as (keyof typeof titles)[];
  return keys.map((key) => ({
    title: titles[key],
    flags: flagsOf(groups[key]).map((flag) => pageOf(flag, inFlux.get(flag.declaration.name))),
  }));
}

function pageOf(flag: AnyFlag, recorded: RecordedFlag | undefined): FlagPage {
  const { name, shorthand, usage, deprecated } = flag.declaration;
  const standard = withoutQuotes(flag.printDefault() ?? "");
  return {
    name,
    shorthand,
    value: /`([^`]*)`/.exec(usage)?.[1] ?? flag.type.word,
    usage: usage.replaceAll("`", ""),
    standard,
    standardInFlux: recorded && inFluxNotation(recorded, standard),
    deprecated,
    useless: isUseless(name, declareFluxdFlags(home)),
    note: notes[name] ?? "",
  };
}

/** The recording leaves out the default of --kube-config, because Flux v1 computes it as Weir does. */
function inFluxNotation({ helpDefault }: RecordedFlag, ours: string): string {
  return helpDefault?.startsWith("hidden; computed") === true ? ours : withoutQuotes(helpDefault ?? "");
}

function withoutQuotes(text: string): string {
  return text.replace(/^"(.*)"$/, "$1");
}
