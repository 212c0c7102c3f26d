import { isJsonArray, isJsonObject } from "@weir/base";
import { groupOf } from "./gvk.ts";
import type { KubeObject } from "./object.ts";

/** This many consecutive characters reveal a value; a shorter value is hidden where it's in quotes. */
const tellingLength = 6;
const hidden = "<hidden>";
/** The fields of a Secret that aren't confidential. */
const openFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "type", "metadata", "immutable"]);

/**
 * Makes a text about objects safe to show: hides all quotes from Secrets among the objects, plain or in
 * base64, complete or partial. API servers and admission webhooks quote what they can't parse.
 */
export function scrubSecrets(text: string, objects: readonly (KubeObject | undefined)[]): string {
  const values = objects.flatMap((object) => (object === undefined ? [] : secretValues(object)));
  const [long, short] = [values.filter(isLong), values.filter((value) => !isLong(value))];
  const scrubbed = long.length === 0 ? text : hideMarked(text, marksIn(text, long));
  return short.reduce((rest, value) => rest.replaceAll(`"${value}"`, `"${hidden}"`), scrubbed);
}

/** Every value in a Secret other than its name and type, each also in decoded and encoded form. */
function secretValues(object: KubeObject): readonly string[] {
  if (object.kind !== "Secret" || groupOf(object.apiVersion) !== "") {
    return [];
  }
  const content = Object.entries(object).filter(([field]) => !openFields.has(field));
  return content
    .flatMap(([, value]) => leavesOf(value))
    .flatMap((value) => [value, Buffer.from(value, "base64").toString("utf8"), encoded(value)])
    .filter((value) => value !== "");
}

function encoded(value: string): string {
  return Buffer.from(value).toString("base64");
}

function leavesOf(value: unknown): readonly string[] {
  if (isJsonArray(value)) {
    return value.flatMap(leavesOf);
  }
  if (isJsonObject(value)) {
    return Object.values(value).flatMap(leavesOf);
  }
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

function isLong(value: string): boolean {
  return value.length >= tellingLength;
}

/** The positions in the text where a revealing part of a value begins; repetitive texts don't take longer. */
function marksIn(text: string, values: readonly string[]): readonly number[] {
  const said = new Set(piecesOf(text));
  const told = new Set<string>();
  for (const value of values) {
    for (const piece of piecesOf(value)) {
      if (said.has(piece)) {
        told.add(piece);
      }
    }
  }
  return [...piecesOf(text)].flatMap((piece, start) => (told.has(piece) ? [start] : []));
}

function* piecesOf(text: string): Generator<string, void> {
  for (let start = 0; start + tellingLength <= text.length; start += 1) {
    yield text.slice(start, start + tellingLength);
  }
}

function hideMarked(text: string, marks: readonly number[]): string {
  let shown = "";
  let end = 0;
  for (const start of marks) {
    if (start > end || end === 0) {
      shown += text.slice(end, start) + hidden;
    }
    end = start + tellingLength;
  }
  return shown + text.slice(end);
}
