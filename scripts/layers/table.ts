/** A folder of product code, what it may import of ours, and what it is about; an entry of layers.json. */
export interface Layer {
  /** Imports point to the same number or to a lower one. */
  readonly layer: number;
  readonly folder: string;
  readonly imports: readonly string[];
  readonly says: string;
}

const begin = "<!-- layers: generated from layers.json -->";
const end = "<!-- /layers -->";

/** A page with the table of the layers between its two marks; throws where it has no marks. */
export function withLayersTable(page: string, layers: readonly Layer[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`the page has no ${begin} … ${end}`);
  }
  return `${page.slice(0, from)}${begin}\n\n${printTable(layers)}\n${page.slice(to)}`;
}

function printTable(layers: readonly Layer[]): string {
  const rows = layers
    .toReversed()
    .map(
      ({ layer, folder, imports, says }) => `| ${layer} | ${nameOf(folder)} | ${says} | ${listOf(imports)} |`,
    );
  return ["| layer | folder | what it is | may import |", "| --- | --- | --- | --- |", ...rows, ""].join(
    "\n",
  );
}

function listOf(folders: readonly string[]): string {
  return folders.length === 0 ? "nothing of ours" : folders.map(nameOf).join(", ");
}

/** Packages go by their names, as imports do. */
function nameOf(folder: string): string {
  return `\`${folder.replace("packages/", "@weir/")}\``;
}
