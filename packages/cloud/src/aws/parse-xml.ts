import type { JsonObject, JsonValue } from "@weir/base";
import { WireError } from "@weir/http";

/** The next part of a document: a part to skip, CDATA, an end tag, a start tag, or text. */
const pieces =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[(?<raw>[^]*?)\]\]>|<\/(?<end>[\w:.-]+)\s*>|<(?<start>[\w:.-]+)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?<empty>\/?)>|(?<text>[^<]+)/y;

const entities = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

/** An element whose end tag hasn't been read yet. */
interface Open {
  readonly name: string;
  readonly members: [string, JsonValue][];
  text: string;
}

/**
 * Converts an XML document to the shape of JSON: an element with child elements becomes an object, any other element
 * its text. If several elements have the same name, the last one counts; attributes are left out. Documents with a
 * DOCTYPE, and so with custom entities, are refused. `what` names the document in the WireError that's thrown for
 * invalid XML.
 */
export function parseXml(text: string, what: string): JsonObject {
  const root: Open = { name: "", members: [], text: "" };
  const open = [root];
  let at = 0;
  while (at < text.length) {
    pieces.lastIndex = at;
    const found = pieces.exec(text);
    const isTaken = found !== null && take(found.groups ?? {}, open);
    if (!isTaken) {
      throw new WireError(`${what} isn't valid XML`);
    }
    at = pieces.lastIndex;
  }
  if (open.length !== 1 || root.members.length !== 1 || root.text.trim() !== "") {
    throw new WireError(`${what} isn't valid XML`);
  }
  return Object.fromEntries(root.members);
}

/** Adds a part to the open elements; false if it doesn't belong there. */
function take(
  { raw, end, start, empty, text }: Readonly<Record<string, string | undefined>>,
  open: Open[],
): boolean {
  const current = open.at(-1);
  const plain = text === undefined ? raw : unescaped(text);
  if (current === undefined || (text !== undefined && plain === undefined)) {
    return false;
  }
  current.text += plain ?? "";
  if (start !== undefined) {
    open.push({ name: start, members: [], text: "" });
  }
  const ended = end ?? (empty === "/" ? start : undefined);
  return ended === undefined || close(ended, open);
}

function close(name: string, open: Open[]): boolean {
  const element = open.pop();
  const parent = open.at(-1);
  if (element?.name !== name || parent === undefined) {
    return false;
  }
  const { members, text } = element;
  parent.members.push([name, members.length === 0 ? text : Object.fromEntries(members)]);
  return true;
}

/** Replaces the entities in a text; undefined if one isn't known. */
function unescaped(text: string): string | undefined {
  let plain = "";
  let at = 0;
  for (const found of text.matchAll(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));|&/g)) {
    const [entity, decimal, hex, name] = found;
    const character = hex === undefined ? named(decimal, name) : characterOf(Number.parseInt(hex, 16));
    if (character === undefined) {
      return undefined;
    }
    plain += text.slice(at, found.index) + character;
    at = found.index + entity.length;
  }
  return plain + text.slice(at);
}

function named(decimal: string | undefined, name: string | undefined): string | undefined {
  return decimal === undefined ? entities.get(name ?? "") : characterOf(Number(decimal));
}

function characterOf(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
