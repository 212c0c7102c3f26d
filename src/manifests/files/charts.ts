import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "@weir/base";
import { type BytePath, childOf, shownPath } from "./byte-path.ts";

/** The two files that every Helm chart has. */
export const chartFiles = ["Chart.yaml", "values.yaml"];

/** True for a folder that looks like a Helm chart, whose files are templates and not manifests. */
export async function isChart(
  folder: BytePath,
  entries: readonly { readonly name: BytePath }[],
): Promise<boolean> {
  const names = new Set(entries.map(({ name }) => shownPath(name)));
  return chartFiles.every((name) => names.has(name)) && (await hasChartFiles(folder));
}

/** True for a path that is a chart below the root, or is inside one. */
export async function standsInChart(root: string, path: string): Promise<boolean> {
  const top = join(root, ".");
  for (let folder = path; ; folder = dirname(folder)) {
    if (await hasChartFiles(folder)) {
      return true;
    }
    if (folder === top || folder === dirname(folder)) {
      return false;
    }
  }
}

async function hasChartFiles(folder: BytePath): Promise<boolean> {
  const found = await Promise.all(chartFiles.map((name) => exists(childOf(folder, name))));
  return found.every(Boolean);
}

/** As in Flux v1, a file that can't be checked counts as existing. */
async function exists(path: BytePath): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}
