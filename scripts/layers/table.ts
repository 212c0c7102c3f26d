import { withRegion } from "../generate/region.ts";

/** An entry of layers.json: a folder of product code, the folders of ours that it may import, and its purpose. */
export interface Layer {
  /** A folder imports only from layers with the same number or a lower one. */
  readonly layer: number;
  readonly folder: string;
  readonly imports: readonly string[];
  /** A phrase for the table in docs/architecture.md. */
  readonly purpose: string;
}

const marks = { begin: "<!-- layers: generated from layers.json -->", end: "<!-- /layers -->" };

/** Replaces the layer table between the two markers of a page; throws if the page has no markers. */
export function withLayersTable(page: string, layers: readonly Layer[]): string {
  return withRegion(page, marks, `\n${printTable(layers)}\n`);
}

function printTable(layers: readonly Layer[]): string {
  const rows = layers
    .toReversed()
    .map(
      ({ layer, folder, imports, purpose }) =>
        `| ${layer} | ${nameOf(folder)} | ${purpose} | ${listOf(imports)} |`,
    );
  return ["| layer | folder | purpose | may import |", "| --- | --- | --- | --- |", ...rows, ""].join("\n");
}

function listOf(folders: readonly string[]): string {
  return folders.length === 0 ? "nothing of ours" : folders.map(nameOf).join(", ");
}

/** A package is shown by its name, as in an import. */
function nameOf(folder: string): string {
  return `\`${folder.replace("packages/", "@weir/")}\``;
}
