import { Deadline, printDuration, version } from "@weir/base";
import { bool, flagsOf, text } from "@weir/cli";
import { ownRootImage } from "../../../src/own-image/own-image.ts";
import type { TakeoverReport } from "../../../src/switching/takeover/report.ts";
import { type Command, type CommandContext, type ExitStatus, refuseArguments } from "../command.ts";
import { choiceOf } from "../flags/choice.ts";
import { fillFromEnvironment } from "../flags/globals.ts";
import { isChange } from "../output/diff.ts";
import { type OutputFormat, printAs, templateOf, templatePrefix } from "../output/format.ts";
import { printTakeover } from "../output/takeover.ts";

const formats = ["tab", "diff", "json", "yaml", "name"] as const;
type TakeoverFormat = (typeof formats)[number] | Exclude<OutputFormat, string>;

/**
 * `fluxctl takeover`: reports what a switch from a running Flux v1 needs, what the first sync would change, and how to
 * switch and to roll back. Exits like `fluxctl diff`.
 */
export function takeoverCommand(): Command {
  const flags = declareFlags();
  return {
    use: "takeover",
    long: `Check whether Weir can take over from the Flux v1 in the cluster, without changing anything: flags that Weir
doesn't support, SSH host keys, permissions, and what the first sync would change. Also print the commands to
switch and to roll back.
To compare git with the cluster, fluxctl clones the repository with your git credentials, or reads the local
clone given by --source. A server-side dry run determines the result for each object. Secrets are read only if
git contains Secrets to compare, and their contents are not shown.
The exit status is 0 if nothing is missing and nothing would change, 1 if something is missing or would change,
and 2 if there is an error.`,
    example: `  fluxctl takeover --k8s-fwd-ns=flux
  fluxctl takeover --k8s-fwd-ns=flux --source=./my-repository
  fluxctl takeover --k8s-fwd-ns=flux -o json`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      const given = flags.outputFormat.value;
      const format = templateOf(given) ?? choiceOf(formats, given, "output format");
      const report = await context.waitFor("the checks of Flux and git", () => look(flags, context));
      context.out(await print(report, format, context));
      context.exitWith(statusOf(report));
    },
  };
}

function declareFlags() {
  return {
    deployment: text("deployment", { usage: "Name of fluxd's Deployment, if its labels don't identify it" }),
    image: text("image", {
      usage: "Image to switch to (default: Weir's image of this version, with the user root)",
    }),
    source: text("source", {
      usage:
        "Local clone or URL to read fluxd's branch from (default: fluxd's --git-url, without its user and password)",
    }),
    gitUrl: text("git-url", {
      usage:
        "Git URL that fluxd uses, if the Deployment takes parts of it from a Secret; the password can be left out",
    }),
    runGenerators: bool("run-generators", {
      usage: "Run the commands in .flux.yaml files on this machine, to compare what they print",
    }),
    outputFormat: text("output-format", {
      default: "tab",
      usage: `Output format (${formats.join(", ")}, or ${templatePrefix}TEMPLATE)`,
      shorthand: "o",
      values: [...formats, templatePrefix],
    }),
  };
}

async function look(
  flags: ReturnType<typeof declareFlags>,
  context: CommandContext,
): Promise<TakeoverReport> {
  const { globals, env, clock, signal } = context;
  fillFromEnvironment(globals, { ...context, err: () => undefined });
  const { loadCredentials } = await import("../daemon/forward.ts");
  const { lookAtTakeover } = await import("../../../src/switching/takeover/takeover.ts");
  const timeout = globals.timeout.value;
  const tooLate = (): Error =>
    new Error(
      `this took longer than ${printDuration(timeout)}; use --timeout to allow more time, e.g. to clone the repository`,
    );
  using deadline = new Deadline(clock, timeout, signal, tooLate);
  return await lookAtTakeover(
    {
      credentials: await loadCredentials(globals.context.value, env, deadline.signal),
      context: globals.context.value,
      deployment: {
        namespace: globals.forwardNamespace.value,
        labels: globals.forwardLabels.value,
        name: flags.deployment.value,
      },
      newImage: flags.image.value || ownRootImage(version),
      gitUrl: flags.gitUrl.value,
      source: flags.source.value,
      runGenerators: flags.runGenerators.value,
      env,
    },
    deadline.signal,
  );
}

async function print(
  report: TakeoverReport,
  format: TakeoverFormat,
  { paint, screen }: CommandContext,
): Promise<string> {
  switch (format) {
    case "tab":
    case "diff":
      return printTakeover(report, { paint, marks: screen !== undefined, patches: format === "diff" });
    default: {
      const { encodeReport } = await import("../../../src/switching/takeover/report.ts");
      return printAs(format, {
        isEmpty: false,
        json: () => encodeReport(report),
        table: () => "",
        names: () => changesOf(report).map(({ id }) => id),
      });
    }
  }
}

function changesOf({ comparison }: TakeoverReport) {
  return comparison.kind === "compared" ? comparison.changes.filter(isChange) : [];
}

function statusOf(report: TakeoverReport): ExitStatus {
  const { comparison, findings } = report;
  const isRefused = comparison.kind === "compared" && comparison.changes.some(({ error }) => error !== "");
  if (comparison.kind === "failed" || isRefused) {
    return 2;
  }
  const isMissing = comparison.kind === "skipped" || findings.some(({ verdict }) => verdict === "failed");
  return isMissing || changesOf(report).length > 0 ? 1 : 0;
}
