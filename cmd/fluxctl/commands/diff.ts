import { flagsOf, text } from "@weir/cli";
import type { DiffReport } from "../../../src/api/types/inspection.ts";
import { encodeDiff } from "../../../src/api/types/v12-diff.ts";
import { choiceOf } from "../choice.ts";
import { type Command, type CommandContext, type ExitStatus, refuseArguments } from "../command.ts";
import { isChange, printChanges, printDiff, summarize } from "../output/diff.ts";
import { type OutputFormat, printAs, templateOf, templatePrefix } from "../output/format.ts";
import { requireWeir } from "../require-weir.ts";

const formats = ["diff", "short", "json", "yaml", "name"] as const;
type DiffFormat = (typeof formats)[number] | Exclude<OutputFormat, string>;

/**
 * `fluxctl diff`: shows what a sync would change, as a unified diff. Exits like diff: 0 without changes, 1
 * with changes, 2 if the changes can't be determined or the API server would refuse one.
 */
export function diffCommand(): Command {
  const flags = declareFlags();
  return {
    use: "diff",
    long: `Show what a sync would change and delete in the cluster, without changing anything. A server-side dry run
determines the result for each object. The contents of Secrets are not shown.
The exit status is 0 if nothing would change, 1 if something would change, and 2 if there is an error.`,
    example: `  fluxctl diff
  fluxctl diff --ref my-branch
  fluxctl diff -o short`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      const given = flags.outputFormat.value;
      const format = templateOf(given) ?? choiceOf(formats, given, "output format");
      const client = await context.connect();
      const report = await context.waitFor("what a sync would change", () =>
        requireWeir("`fluxctl diff`", client.diff({ ref: flags.ref.value }, context.signal)),
      );
      context.out(await print(report, format, context));
      if (format === "diff" || format === "short") {
        context.err(`${summarize(report)}\n`);
      }
      context.exitWith(statusOf(report));
    },
  };
}

function declareFlags() {
  return {
    ref: text("ref", {
      usage:
        "Commit, branch or tag of the git repository to compare with the cluster (default: the branch that fluxd syncs)",
    }),
    outputFormat: text("output-format", {
      default: "diff",
      usage: `Output format (${formats.join(", ")}, or ${templatePrefix}TEMPLATE)`,
      shorthand: "o",
      values: [...formats, templatePrefix],
    }),
  };
}

async function print(report: DiffReport, format: DiffFormat, { paint }: CommandContext): Promise<string> {
  switch (format) {
    case "diff":
      return printDiff(report, paint);
    case "short":
      return printChanges(report, paint);
    default:
      return printAs(format, {
        isEmpty: false,
        json: () => encodeDiff(report),
        table: () => "",
        names: () => report.changes.filter(isChange).map(({ id }) => id),
      });
  }
}

function statusOf({ changes }: DiffReport): ExitStatus {
  if (changes.some(({ error }) => error !== "")) {
    return 2;
  }
  return changes.some(isChange) ? 1 : 0;
}
