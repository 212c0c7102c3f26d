import { type Chapter, chapters, environment, exitStatus, summary, type Terms } from "./chapters.ts";
import type { CommandPage, FlagEntry, Manual } from "./manual.ts";

/** docs/fluxctl.md. */
export function printMarkdown({ commands, globalFlags }: Manual): string {
  const parts = [
    `# fluxctl\n\nMade by \`scripts/make-fluxctl-docs.ts\` from the table of commands.\n\n${summary}`,
    `| command | |\n| --- | --- |\n${commands.map(commandRow).join("\n")}`,
    ...chapters.map(printChapter),
    `## Flags of every command\n\n${flagTable(globalFlags)}`,
    `## Environment\n\n${termTable("variable", environment)}`,
    `## Exit status\n\n${termTable("status", exitStatus)}`,
    ...commands.map(printPage),
  ];
  return `${parts.join("\n\n")}\n`;
}

function commandRow({ name, short }: CommandPage): string {
  return `| [${name}](#fluxctl-${name}) | ${cell(short)} |`;
}

function printChapter({ title, text }: Chapter): string {
  const paragraphs = text
    .split("\n\n")
    .map((each) => (each.startsWith("    ") ? codeBlock(each) : prose(each)));
  return [`## ${title}`, ...paragraphs].join("\n\n");
}

function printPage({ name, aliases, short, usage, long, example, flags }: CommandPage): string {
  const also =
    aliases.length === 0 ? [] : [`Also called ${aliases.map((each) => `\`${each}\``).join(", ")}.`];
  const examples = example === "" ? [] : [fenced(example)];
  const table = flags.length === 0 ? [] : [flagTable(flags)];
  return [`## fluxctl ${name}`, prose(long || short), ...also, fenced(usage), ...examples, ...table].join(
    "\n\n",
  );
}

function flagTable(flags: readonly FlagEntry[]): string {
  const rows = flags.map(({ names, value, usage, standard, deprecated }) => {
    const text = deprecated === undefined ? usage : `${usage} (deprecated: ${deprecated})`;
    const given = value === "" ? names : `${names} ${value}`;
    return `| \`${given}\` | ${cell(text)} | ${standard === "" ? "" : `\`${cell(standard)}\``} |`;
  });
  return ["| flag | what it does | default |", "| --- | --- | --- |", ...rows].join("\n");
}

function termTable(title: string, terms: Terms): string {
  const rows = terms.map(([name, meaning]) => `| \`${name}\` | ${cell(meaning)} |`);
  return [`| ${title} | what it means |`, "| --- | --- |", ...rows].join("\n");
}

function codeBlock(indented: string): string {
  return fenced(indented.replaceAll(/^ {4}/gm, ""));
}

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``;
}

/** "<" would begin a tag. */
function prose(text: string): string {
  return text.replaceAll("<", "&lt;");
}

function cell(text: string): string {
  return prose(text).replaceAll("|", "\\|").replaceAll("\n", " ");
}
