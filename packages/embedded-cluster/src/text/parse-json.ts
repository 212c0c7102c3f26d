/** Reads the JSON of requests: fast where it is good, exact about what is wrong where it is not. */
import { isTree, type TreeNode } from "../tree.ts";
import { scanJson } from "./json-scanner.ts";

/** A body that cannot be read; the message is that of the API server's decoder. */
export class TextError extends Error {
  override readonly name = "TextError";
}

/**
 * How deep a body may be nested. The API server allows 10,000; here every step that walks an object recurses,
 * and no object of a cluster is anywhere near.
 */
export const maxDepth = 1000;

/** What a text says, and what is to be said of keys that stand in it twice (of which the last counts). */
export interface ParsedText {
  readonly value: TreeNode;
  readonly duplicates: readonly string[];
}

/** Reads a JSON text. Throws TextError. */
export function parseJson(text: string): ParsedText {
  const { depth, pairs } = measure(text);
  if (depth > maxDepth) {
    throw new TextError("exceeded max depth");
  }
  const value = parseFast(text);
  const duplicates = countKeys(value) === pairs ? [] : scanJson(text).duplicates;
  return { value, duplicates: duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`) };
}

function parseFast(text: string): TreeNode {
  try {
    const value: unknown = JSON.parse(text);
    // Whatever JSON.parse returns is made of texts, numbers, booleans, null, lists and objects.
    return value as TreeNode;
  } catch (error) {
    throw new TextError(scanJson(text).fault ?? "invalid JSON", { cause: error });
  }
}

/** How deep brackets nest and how many colons stand outside of strings; good for any text, JSON or not. */
function measure(text: string): { depth: number; pairs: number } {
  let open = 0;
  let depth = 0;
  let pairs = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x3a:
        pairs++;
        break;
      case 0x5b:
      case 0x7b:
        depth = Math.max(depth, ++open);
        break;
      case 0x5d:
      case 0x7d:
        open--;
        break;
    }
  }
  return { depth, pairs };
}

/** The place of the closing quote of a string that opens at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) {
    backslashes++;
  }
  return backslashes % 2 === 1;
}

/** Fewer keys than colons in the text means that a key stood there twice. */
function countKeys(node: TreeNode): number {
  let count = 0;
  if (Array.isArray(node)) {
    for (const item of node) {
      count += countKeys(item);
    }
  } else if (isTree(node)) {
    for (const key of Object.keys(node)) {
      count += 1 + countKeys(node[key] ?? null);
    }
  }
  return count;
}
