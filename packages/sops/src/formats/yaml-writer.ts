import { isMultiline, printGoFloat, resolvePlain, styleOf } from "@weir/yaml/go-yaml";
import { SopsError } from "../errors.ts";
import { sopsLimits } from "../limits.ts";
import { Branch, isList, SopsNumber, Timestamp, type TreeValue } from "../tree.ts";
import { type Entries, entriesOf } from "./yaml-entries.ts";
import { YamlLayout } from "./yaml-layout.ts";

/** Longer keys, in bytes, go on their own line, after a `?`. */
const longestKey = 128;

/** The line length of Base64, unless it's shorter than that. */
const base64Line = 70;

/** Prints documents as sops does with yaml.v3: block style, four spaces, and comments before their entry. */
export function writeYaml(branches: readonly Branch[]): string {
  const layout = new YamlLayout();
  for (const [index, branch] of branches.entries()) {
    if (index > 0) {
      layout.startLine();
      layout.indicator("---");
      layout.startLine();
    }
    writeDocument(layout, branch);
  }
  return layout.text;
}

function writeDocument(layout: YamlLayout, branch: Branch): void {
  const content = entriesOf(branch);
  layout.addHead(content.head);
  layout.writeHead();
  layout.writeFoot();
  writeMapping(layout, content, false);
  layout.endDocument();
}

function writeMapping(layout: YamlLayout, { entries, foot }: Entries, inList: boolean): void {
  if (entries.length === 0) {
    layout.emptyMapping();
    return;
  }
  const around = layout.indent;
  layout.indent = layout.innerIndent(inList);
  for (const { key = "", value, head } of entries) {
    layout.addHead(head);
    layout.writeHead();
    layout.startLine();
    writeKey(layout, key);
    writeMember(layout, value);
    checkLength(layout);
  }
  layout.addTail(foot);
  layout.writeHead();
  layout.indent = around;
}

function writeMember(layout: YamlLayout, value: TreeValue): void {
  if (value instanceof Branch || isList(value)) {
    const content = entriesOf(value);
    layout.addHead(content.head);
    layout.writeFoot();
    writeCollection(layout, value, { content, inList: false });
  } else {
    writeScalar(layout, value, false);
    layout.writeFoot();
  }
}

function writeList(layout: YamlLayout, { entries, foot }: Entries, inList: boolean): void {
  if (entries.length === 0) {
    layout.indicator("[]");
    layout.writeFoot();
    return;
  }
  const around = layout.indent;
  layout.indent = layout.innerIndent(inList);
  for (const [index, { value, head }] of entries.entries()) {
    writeItem(layout, value, { head, foot: index === entries.length - 1 ? foot : "" });
    checkLength(layout);
  }
  layout.indent = around;
}

function writeItem(
  layout: YamlLayout,
  value: TreeValue,
  { head, foot }: { readonly head: string; readonly foot: string },
): void {
  const isCollection = value instanceof Branch || isList(value);
  const content = isCollection ? entriesOf(value) : undefined;
  layout.addHead([head, content?.head ?? ""].filter((comment) => comment !== "").join("\n"));
  layout.writeHead();
  layout.startLine();
  layout.openIndicator("-");
  if (content !== undefined && isCollection) {
    layout.writeFoot();
    writeCollection(layout, value, { content, inList: true });
    layout.addFoot(foot);
  } else {
    writeScalar(layout, value, true);
    layout.addFoot(foot);
    layout.writeFoot();
  }
}

function writeCollection(
  layout: YamlLayout,
  value: TreeValue,
  { content, inList }: { readonly content: Entries; readonly inList: boolean },
): void {
  if (value instanceof Branch) {
    writeMapping(layout, content, inList);
  } else {
    writeList(layout, content, inList);
  }
}

function writeKey(layout: YamlLayout, key: string): void {
  if (!isMultiline(key) && Buffer.byteLength(key) <= longestKey) {
    writeText(layout, key, false);
    layout.colon();
    return;
  }
  layout.openIndicator("?");
  writeText(layout, key, false);
  layout.startLine();
  layout.openIndicator(":");
}

function writeScalar(layout: YamlLayout, value: TreeValue, inList: boolean): void {
  if (typeof value === "string") {
    writeText(layout, value, inList);
  } else if (value instanceof Uint8Array) {
    writeBytes(layout, value, inList);
  } else {
    layout.plain(wordOf(value));
  }
}

function writeText(layout: YamlLayout, text: string, inList: boolean): void {
  if (text === mergeKey) {
    // yaml.v3 takes the text for the key that merges mappings, and says so.
    layout.plain("!!merge");
    layout.plain(text);
    return;
  }
  switch (styleFor(text)) {
    case "plain":
      layout.plain(text);
      return;
    case "single":
      layout.single(text);
      return;
    case "double":
      layout.double(text);
      return;
    case "literal":
      layout.literal(text, inList);
      return;
  }
}

const mergeKey = "<<";

function styleFor(text: string): ReturnType<typeof styleOf> {
  if (text.includes("\n")) {
    // Unlike yaml.v2, yaml.v3 writes tabs in literal blocks.
    return styleOf(text.replaceAll("\t", "t"), "literal");
  }
  return styleOf(text, readsAsText(text) ? "plain" : "double");
}

/** Old parsers read such a text as a number in base 60. */
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

function readsAsText(text: string): boolean {
  return resolvePlain(text).tag === "str" && !base60.test(text);
}

function writeBytes(layout: YamlLayout, bytes: Uint8Array, inList: boolean): void {
  const digits = Buffer.from(bytes).toString("base64");
  layout.plain("!!binary");
  if (digits.length < base64Line) {
    layout.plain(digits);
  } else {
    layout.literal(digits.replaceAll(/.{1,70}/g, "$&\n"), inList);
  }
}

function wordOf(value: Exclude<TreeValue, string | Uint8Array>): string {
  if (value instanceof SopsNumber) {
    return value.type === "float" ? floatWord(Number(value.value)) : String(value.value);
  }
  if (value instanceof Timestamp) {
    return value.rfc3339;
  }
  return value === null || typeof value === "boolean" ? String(value) : "null";
}

function floatWord(value: number): string {
  if (Number.isNaN(value)) {
    return ".nan";
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? ".inf" : "-.inf";
  }
  return printGoFloat(value);
}

function checkLength({ length }: YamlLayout): void {
  if (length > sopsLimits.characters) {
    throw new SopsError(`the decrypted file is longer than ${sopsLimits.characters} characters`);
  }
}
