import { isUtf8 } from "node:buffer";
import { readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { describeFileError } from "@weir/base";
import type { Flux2Export } from "../../../src/switching/flux2/export.ts";
import type { ExportedInstall } from "../../../src/switching/flux2/install.ts";
import { gitPathsOf } from "../../../src/switching/flux2/kustomizations.ts";
import { type ManifestFile, type MarkPlan, planMarks } from "../../../src/switching/flux2/mark-files.ts";
import type { CommandContext } from "../command.ts";

/** A checkout of the repository, and what to do with it. */
export interface MarkRequest {
  readonly folder: string;
  /** False to only show what would be done. */
  readonly write: boolean;
}

/** An install, and its export. */
export interface MarkedInstall {
  readonly exported: Flux2Export;
  readonly flags: ExportedInstall["flags"];
}

/** Adds the markers to the manifests of a checkout, or shows what would be added. Exits with 1 if some are left. */
export async function markCheckout(
  { folder: given, write }: MarkRequest,
  { exported, flags }: MarkedInstall,
  context: Pick<CommandContext, "signal" | "out" | "err" | "exitWith">,
): Promise<void> {
  const folder = await realFolder(given);
  const paths = await Promise.all(gitPathsOf(flags).map((path) => insideOf(folder, path)));
  const names = [...new Set((await Promise.all(paths.map(manifestNames))).flat())].toSorted();
  const files = (await Promise.all(names.map((name) => readManifest(folder, name)))).flat();
  const plan = planMarks(files, exported.markers, flags.k8sDefaultNamespace.value || "default");
  if (write) {
    for (const { path, text } of plan.files) {
      context.signal.throwIfAborted();
      await writeFile(join(folder, path), text);
    }
  }
  context.out(printPlan(plan));
  context.err(`${summarize(plan, write)}\n`);
  if (plan.unplaced.length > 0 || plan.marks.some(({ outcome }) => outcome === "refused")) {
    context.exitWith(1);
  }
}

/** The markers can't be added to a checkout. */
export class MarkError extends Error {
  override readonly name = "MarkError";
}

/** The git path comes from the cluster: it must not lead out of the checkout, neither by itself nor through a link. */
async function insideOf(root: string, path: string): Promise<string> {
  const full = resolve(root, path);
  if (!isBelow(root, full) || !isBelow(root, await realFolder(full))) {
    throw new MarkError(`the git path ${path} leads out of ${root}`);
  }
  return full;
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root + sep);
}

async function realFolder(path: string): Promise<string> {
  return realpath(path).catch((error: unknown) => {
    throw new MarkError(`cannot read the checkout: ${describeFileError("open", path, error)}`, {
      cause: error,
    });
  });
}

/** Finds the YAML files below a folder as fluxd does: no Helm charts, and no symbolic links. */
async function manifestNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new MarkError(`cannot read the checkout: ${describeFileError("open", folder, error)}`, {
      cause: error,
    });
  });
  const names = entries.map(({ name }) => name);
  if (names.includes("Chart.yaml") && names.includes("values.yaml")) {
    return [];
  }
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git");
  const below = await Promise.all(folders.map(({ name }) => manifestNames(join(folder, name))));
  const own = entries.filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name));
  return [...own.map(({ name }) => join(folder, name)), ...below.flat()];
}

/** Skips a file that isn't UTF-8: it couldn't be written back unchanged. */
async function readManifest(folder: string, name: string): Promise<readonly ManifestFile[]> {
  const bytes = await readFile(name);
  if (!isUtf8(bytes)) {
    return [];
  }
  return [{ path: relative(folder, name), text: bytes.toString("utf8") }];
}

function printPlan({ marks, unplaced }: MarkPlan): string {
  return [
    ...marks.map(
      ({ path, line, marker, outcome, reason }) =>
        `${path}:${line}: ${marker.workload} ${marker.container}: ${outcome}${reason === "" ? "" : `: ${reason}`}\n`,
    ),
    ...unplaced.map(
      ({ workload, container, comment }) => `${workload} ${container}: no manifest found for ${comment}\n`,
    ),
  ].join("");
}

function summarize({ marks, unplaced, files }: MarkPlan, write: boolean): string {
  const added = marks.filter(({ outcome }) => outcome === "added").length;
  const left = marks.filter(({ outcome }) => outcome === "refused").length + unplaced.length;
  const what = `${count(added, "marker")} to ${count(files.length, "file")}.`;
  const done = write || added === 0 ? `Added ${what}` : `Would add ${what} To write them, use --write.`;
  return left === 0 ? done : `${done} Add ${count(left, "marker")} by hand.`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
