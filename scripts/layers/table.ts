import { withRegion } from "../generate/region.ts";
import { groups, type Layer } from "./groups.ts";
import { printPicture } from "./picture.ts";

const groupMarks = { begin: "<!-- groups: generated from layers.json -->", end: "<!-- /groups -->" };
const roomMarks = { begin: "<!-- rooms: generated from layers.json -->", end: "<!-- /rooms -->" };

/** Replaces the picture and the table of groups between the markers of docs/architecture.md; throws if it has no markers. */
export function withGroups(page: string, layers: readonly Layer[]): string {
  return withRegion(page, groupMarks, `\n${printPicture(layers)}\n${printGroups(layers)}\n`);
}

/** Replaces the table of the hub's rooms between the markers of docs/hub.md; throws if it has no markers. */
export function withRooms(page: string, layers: readonly Layer[]): string {
  return withRegion(page, roomMarks, `\n${printRooms(layers)}\n`);
}

function printGroups(layers: readonly Layer[]): string {
  const rows = groups.map(({ name, purpose }) => {
    const folders = layers.filter(({ group }) => group === name).map(({ folder }) => shortFolder(folder));
    return [name, codeList([...new Set(folders)]), purpose];
  });
  return printTable(["group", "folders", "what it's for"], rows);
}

function printRooms(layers: readonly Layer[]): string {
  const rows = layers
    .filter(({ folder }) => folder.startsWith("hub/"))
    .toReversed()
    .map(({ folder, imports, purpose }) => [codeList([folder]), purpose, codeList(imports.map(nameOf))]);
  return printTable(["room", "what it's for", "may import"], rows);
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [...lines, ""].join("\n");
}

/** The hub, or the first two parts of another folder's path, e.g. "src/switching". */
function shortFolder(folder: string): string {
  const parts = folder.split("/");
  return parts.slice(0, parts[0] === "hub" ? 1 : 2).join("/");
}

/** A package by its name, as in an import, and a room of the hub by its own. */
function nameOf(folder: string): string {
  return folder.replace("packages/", "@weir/").replace("hub/src/", "");
}

function codeList(names: readonly string[]): string {
  return names.length === 0 ? "nothing of ours" : names.map((name) => `\`${name}\``).join(", ");
}
