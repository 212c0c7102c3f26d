import {
  type Chapter,
  chapters,
  environment,
  exitStatus,
  fluxdSummary,
  summary,
  type Terms,
} from "./chapters.ts";
import type { CommandPage, FlagEntry, Manual } from "./manual.ts";

/** A page in the format of man(7). */
export interface ManPage {
  /** E.g. "fluxctl-sync.1", in section 1. */
  readonly file: string;
  readonly text: string;
}

/** A page for fluxctl, and one for each command. */
export function printManPages(manual: Manual, version: string): readonly ManPage[] {
  return [printMain(manual, version), ...manual.commands.map((page) => printPage(page, manual, version))];
}

/** The page for fluxd, in the section for daemons. */
export function printFluxdPage(flags: readonly FlagEntry[], version: string): ManPage {
  return page("fluxd", { version, number: 8, manual: "fluxd" }, [
    section("Name", [`fluxd \\- ${escaped("the daemon of Flux")}`]),
    section("Synopsis", [".B fluxd", escaped("--git-url=URL [flags]")]),
    section("Description", [escaped(fluxdSummary)]),
    section("Options", flagLines(flags)),
    section("See also", [".BR fluxctl (1)"]),
  ]);
}

function printMain({ commands, globalFlags }: Manual, version: string): ManPage {
  return page("fluxctl", commandsOf(version), [
    section("Name", [`fluxctl \\- ${escaped("the command line of Flux")}`]),
    section("Synopsis", [".B fluxctl", escaped("[command] [flags]")]),
    section("Description", [escaped(summary)]),
    section("Commands", terms(commands.map(({ name, short }) => [`fluxctl-${name}(1)`, short] as const))),
    section("Options", flagLines(globalFlags)),
    ...chapters.map(chapterLines),
    section("Environment", terms(environment)),
    section("Exit status", terms(exitStatus)),
  ]);
}

function printPage(
  { name, aliases, short, usage, long, example, flags }: CommandPage,
  { globalFlags }: Manual,
  version: string,
): ManPage {
  const also = aliases.length === 0 ? [] : [".PP", escaped(`Also called ${aliases.join(", ")}.`)];
  return page(`fluxctl-${name}`, commandsOf(version), [
    section("Name", [`${escaped(`fluxctl-${name}`)} \\- ${escaped(short)}`]),
    section("Synopsis", [escaped(usage)]),
    section("Description", [...paragraphs(long || short), ...also]),
    ...(example === "" ? [] : [section("Examples", asItIs(example))]),
    ...(flags.length === 0 ? [] : [section("Options", flagLines(flags))]),
    section("Options of every command", flagLines(globalFlags)),
    section("Exit status", terms(exitStatus)),
    section("See also", [".BR fluxctl (1)"]),
  ]);
}

/** Where a page belongs. */
interface Place {
  readonly version: string;
  /** Of the section of the manual. */
  readonly number: number;
  /** What it's a manual of. */
  readonly manual: string;
}

function commandsOf(version: string): Place {
  return { version, number: 1, manual: "fluxctl" };
}

function page(name: string, { version, number, manual }: Place, sections: readonly string[]): ManPage {
  const place = `${number} "" "Weir ${version}" "${manual}"`;
  const title = `.TH ${name.toUpperCase().replaceAll("-", "\\-")} ${place}`;
  return { file: `${name}.${number}`, text: `${[title, ...sections].join("\n")}\n` };
}

function section(title: string, lines: readonly string[]): string {
  return [`.SH ${title.toUpperCase()}`, ...lines].join("\n");
}

function chapterLines({ title, text }: Chapter): string {
  return section(title, paragraphs(text));
}

function paragraphs(text: string): readonly string[] {
  return text
    .split("\n\n")
    .flatMap((each) =>
      each.startsWith("    ") ? asItIs(each.replaceAll(/^ {4}/gm, "")) : [".PP", escaped(each)],
    );
}

function asItIs(text: string): readonly string[] {
  return [".PP", ".nf", ".RS", escaped(text), ".RE", ".fi"];
}

function flagLines(flags: readonly FlagEntry[]): readonly string[] {
  return flags.flatMap(({ names, value, usage, standard, deprecated }) => {
    const notes = [
      ...(standard === "" ? [] : [`(default ${standard})`]),
      ...(deprecated === undefined ? [] : [`(deprecated: ${deprecated})`]),
    ];
    const given = value === "" ? bold(names) : `${bold(names)} \\fI${escaped(value)}\\fR`;
    return [".TP", given, escaped([usage, ...notes].join(" "))];
  });
}

function terms(entries: Terms): readonly string[] {
  return entries.flatMap(([name, meaning]) => [".TP", bold(name), escaped(meaning)]);
}

function bold(text: string): string {
  return `\\fB${escaped(text)}\\fR`;
}

/**
 * Text that roff prints as it is: without escapes, without hyphens in place of dashes, and without requests
 * at the start of a line.
 */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll(/^[.']/gm, "\\&$&");
}
