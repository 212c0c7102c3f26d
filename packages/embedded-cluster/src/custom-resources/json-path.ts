/** JSON paths as printer columns have them: ".spec.replicas", ".status.conditions[?(@.type=="Ready")].status". */
import { isTree, nodeAt, own, type TreeNode } from "../tree.ts";

/** One step of a path: from a node to what it leads to. */
type Step = (node: TreeNode) => readonly TreeNode[];

/** A path that was understood. */
export type JsonPath = (root: TreeNode) => readonly TreeNode[];

/** A name goes on to whatever has a meaning of its own; a backslash takes that away, e.g. from a dot. */
const field = /^\.?((?:\\.|[^\s.,[\]$@{}\\])+)/;
const quoted = /^\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/;
const index = /^\[(-?\d+)\]/;
const all = /^(?:\[\*\]|\.\*)/;
const filter = /^\[\?\(\s*@\.([\w.-]+)\s*(==|!=)\s*(?:'([^']*)'|"([^"]*)"|(\S+?))\s*\)\]/;

/** Reads a path; undefined where it is none that is understood here. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = [];
  let rest = text
    .trim()
    .replace(/^\{(.*)\}$/, "$1")
    .replace(/^\$/, "");
  while (rest !== "") {
    const found = parseStep(rest);
    if (found === undefined) {
      return undefined;
    }
    steps.push(found.step);
    rest = rest.slice(found.length);
  }
  return (root) => steps.reduce<readonly TreeNode[]>((nodes, step) => nodes.flatMap(step), [root]);
}

function parseStep(text: string): { readonly step: Step; readonly length: number } | undefined {
  for (const [pattern, make] of parsers) {
    const match = pattern.exec(text);
    if (match !== null) {
      return { step: make(match), length: match[0].length };
    }
  }
  return undefined;
}

const parsers: readonly (readonly [RegExp, (match: RegExpExecArray) => Step])[] = [
  [all, () => childrenOf],
  [index, (match) => atIndex(Number(match[1]))],
  [quoted, (match) => named((match[1] ?? match[2] ?? "").replaceAll(/\\(.)/g, "$1"))],
  [filter, (match) => where(match[1] ?? "", match[2] === "==", match[3] ?? match[4] ?? match[5] ?? "")],
  [field, (match) => named((match[1] ?? "").replaceAll(/\\(.)/g, "$1"))],
];

function named(name: string): Step {
  return (node) => {
    const found = isTree(node) ? own(node, name) : undefined;
    return found === undefined ? [] : [found];
  };
}

function atIndex(at: number): Step {
  return (node) => (Array.isArray(node) ? node.slice(at, at === -1 ? undefined : at + 1) : []);
}

function childrenOf(node: TreeNode): readonly TreeNode[] {
  if (Array.isArray(node)) {
    return node;
  }
  return isTree(node) ? Object.values(node).filter((child) => child !== undefined) : [];
}

function where(path: string, isEqual: boolean, wanted: string): Step {
  return (node) =>
    childrenOf(node).filter((child) => {
      const found = nodeAt(child, ...path.split("."));
      return found !== undefined && (textOf(found) === wanted) === isEqual;
    });
}

function textOf(node: TreeNode): string {
  return typeof node === "object" ? JSON.stringify(node) : String(node);
}
