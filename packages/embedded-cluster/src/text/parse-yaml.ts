/** Reads the YAML of requests: apply patches and bodies of type application/yaml. */

import { messageOf } from "@weir/base";
import type * as Yaml from "yaml";
import { isTree, put, type Tree, type TreeNode } from "../tree.ts";
import { maxDepth, type ParsedText, parseJson, TextError } from "./parse-json.ts";

const timestampTag = "tag:yaml.org,2002:timestamp";

/** How many values a YAML text may stand for: aliases multiply, so a short text can mean a huge object. */
const maxNodes = 500_000;

/** Reads YAML, of which JSON is a part; kubectl sends JSON under this name. Throws TextError. */
export async function parseYaml(text: string): Promise<ParsedText> {
  if (/^\s*[{[]/.test(text)) {
    try {
      const parsed = parseJson(text);
      if (parsed.duplicates.length === 0) {
        return parsed;
      }
    } catch (error) {
      if (!(error instanceof TextError) || error.message === "exceeded max depth") {
        throw error;
      }
    }
  }
  return parseRealYaml(text);
}

/** As Kubernetes reads it: YAML 1.1, where `yes` is true, but a date stays a text; of two equal keys the last counts. */
async function parseRealYaml(text: string): Promise<ParsedText> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    version: "1.1",
    uniqueKeys: false,
    merge: true,
    customTags: (tags) => tags.filter((tag) => typeof tag === "string" || tag.tag !== timestampTag),
  });
  const [fault] = document.errors;
  if (fault !== undefined) {
    throw new TextError(`yaml: ${fault.message.split("\n")[0] ?? ""}`);
  }
  try {
    const value = plain(document.toJS({ maxAliasCount: 1000 }));
    return { value, duplicates: repeatedKeys(yaml, document, lines) };
  } catch (error) {
    throw error instanceof TextError ? error : new TextError(`yaml: ${messageOf(error)}`, { cause: error });
  }
}

/** The keys that stand in one map twice, in the words of the API server. */
function repeatedKeys(
  yaml: typeof Yaml,
  document: Yaml.Document.Parsed,
  lines: Yaml.LineCounter,
): readonly string[] {
  const found: { readonly line: number; readonly key: unknown }[] = [];
  yaml.visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const key of map.items.map((pair) => pair.key).filter((each) => yaml.isScalar(each))) {
        if (seen.has(key.value)) {
          found.push({ line: lines.linePos(key.range?.[0] ?? 0).line, key: key.value });
        }
        seen.add(key.value);
      }
    },
  });
  return found
    .sort((a, b) => a.line - b.line)
    .map(({ line, key }) => `line ${line}: key ${JSON.stringify(key)} already set in map`);
}

/** A tree of its own, without shared parts: what JSON can say. */
function plain(root: unknown): TreeNode {
  let nodes = 0;
  return copy(root, 0);

  function copy(value: unknown, depth: number): TreeNode {
    if (++nodes > maxNodes || depth > maxDepth) {
      throw new TextError("yaml: document contains excessive aliasing or nesting");
    }
    if (Array.isArray(value)) {
      return value.map((item) => copy(item, depth + 1));
    }
    if (isTree(value)) {
      const tree: Tree = {};
      for (const [key, item] of Object.entries(value)) {
        put(tree, key, copy(item, depth + 1));
      }
      return tree;
    }
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? value
      : null;
  }
}
