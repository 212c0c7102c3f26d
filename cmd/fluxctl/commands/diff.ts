import { bool, flagsOf, int, list, text } from "@weir/cli";
import { type ResourcePreview, withoutBookkeeping } from "@weir/flux";
import {
  type Command,
  type CommandContext,
  type ExitStatus,
  refuseArguments,
  UsageError,
} from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { type DiffMode, diffModeOf } from "../diff/mode.ts";
import { type ComparedReport, diffFormats, printReport, reportOfGit } from "../diff/print.ts";
import { choiceOf } from "../flags/choice.ts";
import { isChange } from "../output/diff.ts";
import { leastMaxSize, usualMaxSize } from "../output/diff-markdown.ts";
import { templateOf, templatePrefix } from "../output/format.ts";

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

With --local, compare the files in a folder instead of what git has: those that git tracks and new ones that it doesn't
ignore, whether committed or not. fluxd only says by which settings it syncs. fluxctl does the dry run itself, with the
credentials of your kubeconfig, so you need permission to get and patch the objects.
With --offline, no cluster and no fluxd are needed: an API server inside fluxctl fills in defaults and refuses what a
cluster would. The folder is compared with a commit or another folder (--against), with a snapshot of a cluster
(--snapshot), or with nothing. Admission webhooks and policies of a cluster aren't known to it.

The exit status is 0 if nothing would change, 1 if something would change, and 2 if there is an error, which includes
manifests that can't be loaded or that the API server refuses. All of them are listed, with their file and line.`,
    example: `  fluxctl diff
  fluxctl diff --ref my-branch
  fluxctl diff -o short
  fluxctl diff --local .
  fluxctl diff --local . --offline --against origin/main -o markdown
  fluxctl diff --save-snapshot cluster.json
  fluxctl diff --local . --offline --snapshot cluster.json`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      const mode = modeOf(flags);
      const given = flags.format.value || flags.outputFormat.value;
      const format = templateOf(given) ?? choiceOf(diffFormats, given, "output format");
      const maxSize = flags.maxSize.value;
      if (maxSize !== 0 && maxSize < leastMaxSize) {
        throw new UsageError(`--max-size must be at least ${leastMaxSize}, or 0 for no limit`);
      }
      if (mode.kind === "save") {
        await save(mode.file, context);
        return;
      }
      const report = await compare(mode, flags, context);
      await printReport(report, { format, maxSize }, context);
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
    local: text("local", {
      usage:
        "Folder to compare with the cluster: the root of a clone of the repository, with its uncommitted changes",
    }),
    offline: bool("offline", { usage: "Compare the folder of --local without a cluster" }),
    against: text("against", {
      usage: "With --offline: folder, or commit of the same repository such as origin/main, to compare with",
    }),
    snapshot: text("snapshot", {
      usage:
        "With --offline: snapshot of a cluster to compare with, or objects printed by kubectl get -o yaml; with --against, only its namespaces and kinds count",
    }),
    saveSnapshot: text("save-snapshot", {
      usage:
        "Save what fluxd has applied to the cluster, its namespaces, and its kinds in a file for --snapshot; the values of Secrets are hashed",
    }),
    runGenerators: bool("run-generators", {
      usage: "With --local: run the commands in .flux.yaml files on this machine, with your permissions",
    }),
    gitPath: list("git-path", { usage: "With --offline: fluxd's --git-path, the paths that count" }),
    allowNamespace: list("k8s-allow-namespace", { usage: "With --offline: fluxd's --k8s-allow-namespace" }),
    excludeResource: list("k8s-unsafe-exclude-resource", {
      usage: "With --offline: fluxd's --k8s-unsafe-exclude-resource",
    }),
    defaultNamespace: text("k8s-default-namespace", {
      usage: "With --offline: fluxd's --k8s-default-namespace",
    }),
    outputFormat: text("output-format", {
      default: "diff",
      usage: `Output format (${diffFormats.join(", ")}, or ${templatePrefix}TEMPLATE)`,
      shorthand: "o",
      values: [...diffFormats, templatePrefix],
    }),
    format: text("format", { usage: "Same as --output-format", values: [...diffFormats, templatePrefix] }),
    maxSize: int("max-size", {
      default: usualMaxSize,
      usage:
        "With markdown: how many bytes the text may have, 0 for no limit; what doesn't fit is left out by whole objects. The default fits a comment on GitHub",
    }),
  };
}

type Flags = ReturnType<typeof declareFlags>;

function modeOf(flags: Flags): DiffMode {
  return diffModeOf({
    ref: flags.ref.value,
    local: flags.local.value,
    offline: flags.offline.value,
    against: flags.against.value,
    snapshot: flags.snapshot.value,
    saveSnapshot: flags.saveSnapshot.value,
    runGenerators: flags.runGenerators.value,
    settings: [flags.gitPath, flags.allowNamespace, flags.excludeResource, flags.defaultNamespace]
      .filter(({ isSet }) => isSet)
      .map(({ declaration }) => declaration.name),
  });
}

async function compare(
  mode: Exclude<DiffMode, { readonly kind: "save" }>,
  flags: Flags,
  context: CommandContext,
): Promise<ComparedReport> {
  const { runGenerators } = flags;
  const options = { runGenerators: runGenerators.value, settings: settingsOf(flags) };
  switch (mode.kind) {
    case "git": {
      const client = await context.connect();
      const report = await context.waitFor("what a sync would change", () =>
        requireWeir("`fluxctl diff`", client.diff({ ref: mode.ref }, context.signal)),
      );
      return reportOfGit({ ...report, changes: withoutBookkeeping(report.changes) });
    }
    case "local": {
      const { compareLocal } = await import("../diff/compare.ts");
      const compared = await context.waitFor("what would change", () => compareLocal(mode, options, context));
      return { ...compared, revision: undefined, sides: { before: "live", after: "local" }, dir: mode.dir };
    }
    case "offline": {
      const { compareOffline } = await import("../diff/compare.ts");
      const compared = await context.waitFor("what would change", () =>
        compareOffline(mode, options, context),
      );
      const before = mode.against === "" ? (mode.snapshot === "" ? "none" : "snapshot") : "base";
      return { ...compared, revision: undefined, sides: { before, after: "local" }, dir: mode.dir };
    }
  }
}

/** Only what was given. */
function settingsOf({ gitPath, allowNamespace, excludeResource, defaultNamespace }: Flags) {
  return {
    ...(gitPath.value.length === 0 ? {} : { paths: gitPath.value }),
    ...(allowNamespace.value.length === 0 ? {} : { allowedNamespaces: allowNamespace.value }),
    ...(excludeResource.value.length === 0 ? {} : { excludedKinds: excludeResource.value }),
    ...(defaultNamespace.value === "" ? {} : { defaultNamespace: defaultNamespace.value }),
  };
}

async function save(file: string, context: CommandContext): Promise<void> {
  const { saveSnapshot } = await import("../diff/compare.ts");
  const told = await context.waitFor("a snapshot of the cluster", () => saveSnapshot(file, context));
  context.err(told.map((line) => `${line}\n`).join(""));
}

function statusOf({ changes, problems }: ComparedReport): ExitStatus {
  const isRefused = (change: ResourcePreview): boolean => change.error !== "";
  if (problems.length > 0 || changes.some(isRefused)) {
    return 2;
  }
  return changes.some(isChange) ? 1 : 0;
}
