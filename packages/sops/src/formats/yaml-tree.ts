import {
  isYamlBytes,
  isYamlFloat,
  MisfitError,
  type NodeProperties,
  type NodeSink,
  resolvePlain,
  resolveScalar,
  type SourceComment,
  type YamlScalar,
} from "@weir/yaml/go-yaml";
import { MalformedFileError } from "../errors.ts";
import { sopsLimits } from "../limits.ts";
import { Branch, type BranchItem, Comment, SopsNumber, Timestamp, type TreeValue } from "../tree.ts";
import { goTimestamp } from "./go-timestamp.ts";

/** A node that an alias can refer to. */
interface Anchored {
  /** Undefined while the node is still being read. */
  value: TreeValue | undefined;
  /** The number of its nodes, including those that its aliases refer to. */
  weight: number;
  /** The depth of nested collections in it, including itself. */
  height: number;
}

/** A collection whose end hasn't been read yet. */
interface Frame {
  readonly kind: "mapping" | "list";
  readonly items: (BranchItem | TreeValue)[];
  readonly anchored: Anchored | undefined;
  readonly countBefore: number;
  /** Comments after the last entry that start left of this column belong to a collection around this one. */
  readonly column: number;
  height: number;
  /** The line of the last entry's start. */
  line: number;
  /** The key whose value comes next. */
  key: string | undefined;
}

/**
 * Builds the tree of a document from its nodes and comments. Like sops, it expands aliases, keeps the key `<<`, and
 * turns the comment at the end of a line into a comment before it.
 *
 * Errors are kept until `take`, because errors in the syntax are reported first.
 */
export class YamlTree implements NodeSink {
  readonly #comments: readonly SourceComment[];
  #nextComment = 0;
  #frames: Frame[] = [];
  #anchors = new Map<string, Anchored>();
  #root: TreeValue = null;
  #count = 0;
  #problem: MalformedFileError | undefined;

  /** The scanner adds comments to `comments` as it passes them. */
  constructor(comments: readonly SourceComment[]) {
    this.#comments = comments;
  }

  /** Returns the completed document and prepares for the next one. Throws MalformedFileError if sops can't handle it. */
  take(): Branch {
    const root = this.#root;
    const problem = this.#problem ?? rootProblem(root);
    this.#frames = [];
    this.#anchors = new Map();
    this.#root = null;
    this.#count = 0;
    this.#problem = undefined;
    if (problem !== undefined) {
      throw problem;
    }
    return root instanceof Branch ? root : new Branch([]);
  }

  scalar(text: string, plain: boolean, { anchor, tag, line }: NodeProperties): void {
    const value = valueOf(text, plain, tag);
    if (anchor !== "") {
      this.#anchors.set(anchor, { value, weight: 1, height: 0 });
    }
    this.#count += 1;
    this.#place(value, line);
  }

  alias(anchor: string, line: number): void {
    const anchored = this.#anchors.get(anchor);
    if (anchored?.value === undefined) {
      const state = anchored === undefined ? "unknown" : "unfinished";
      this.#fail(`yaml: ${state} anchor referenced on line ${line + 1}`);
      this.#place(null, line);
      return;
    }
    this.#count += anchored.weight;
    this.#grow(anchored.height);
    this.#place(anchored.value, line);
  }

  startSequence(properties: NodeProperties): void {
    this.#open("list", properties);
  }

  startMapping(properties: NodeProperties): void {
    this.#open("mapping", properties);
  }

  end(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) {
      return;
    }
    this.#takeComments(
      frame,
      ({ line, column }) => line === frame.line || (frame.column >= 0 && column >= frame.column),
    );
    const value =
      frame.kind === "list" ? (frame.items as TreeValue[]) : new Branch(frame.items as BranchItem[]);
    if (frame.anchored !== undefined) {
      frame.anchored.value = value;
      frame.anchored.weight = this.#count - frame.countBefore;
      frame.anchored.height = frame.height;
    }
    this.#grow(frame.height);
    this.#add(value);
  }

  #open(kind: Frame["kind"], { anchor, line, column }: NodeProperties): void {
    const around = this.#frames.at(-1);
    this.#commentsBefore(line);
    const anchored = anchor === "" ? undefined : { value: undefined, weight: 0, height: 0 };
    if (anchored !== undefined) {
      this.#anchors.set(anchor, anchored);
    }
    if (around?.kind === "mapping" && around.key === undefined) {
      this.#fail("Tree contains a non-string key. Only string keys are supported");
      around.key = "";
    }
    this.#count += 1;
    this.#checkCount();
    this.#frames.push({
      kind,
      items: [],
      anchored,
      countBefore: this.#count - 1,
      // The items of a list that's the value of a key can be in the key's own column.
      column: column < 0 && kind === "list" && around !== undefined ? around.column + 1 : column,
      height: 1,
      line,
      key: undefined,
    });
    if (this.#frames.length > sopsLimits.depth) {
      this.#fail(`yaml: document is nested more than ${sopsLimits.depth} deep`);
    }
  }

  #place(value: TreeValue, line: number): void {
    this.#checkCount();
    this.#commentsBefore(line);
    const frame = this.#frames.at(-1);
    if (frame !== undefined && (frame.kind === "list" || frame.key === undefined)) {
      frame.line = line;
    }
    this.#add(value);
  }

  /** Adds a finished value to the collection around it, or remembers it as the key of the next value. */
  #add(value: TreeValue): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#root = value;
    } else if (frame.kind === "list") {
      frame.items.push(value);
    } else if (frame.key !== undefined) {
      frame.items.push({ key: frame.key, value });
      frame.key = undefined;
    } else if (typeof value === "string") {
      frame.key = value;
    } else {
      this.#fail("Tree contains a non-string key. Only string keys are supported");
      frame.key = "";
    }
  }

  // Comments.

  /** Adds the comments up to a line. The one at the end of an entry's first line comes before the entry. */
  #commentsBefore(line: number): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) {
      const isStart = frame.kind === "list" || frame.key === undefined;
      this.#takeComments(frame, (comment) => comment.line < line && (isStart || comment.line === frame.line));
    }
  }

  #takeComments(frame: Frame, isOwn: (comment: SourceComment) => boolean): void {
    for (;;) {
      const comment = this.#comments[this.#nextComment];
      if (comment === undefined || !isOwn(comment)) {
        return;
      }
      this.#nextComment += 1;
      const isAtEnd = comment.line === frame.line && frame.items.length > 0 && frame.key === undefined;
      const at = isAtEnd ? frame.items.length - 1 : frame.items.length;
      // sops drops comments without text after the `#` only if there's no `#` either, so this keeps them.
      const entry = new Comment(comment.text);
      frame.items.splice(at, 0, frame.kind === "list" ? entry : { key: entry, value: null });
    }
  }

  // Limits.

  #checkCount(): void {
    if (this.#count > sopsLimits.nodes) {
      this.#fail(`yaml: document has more than ${sopsLimits.nodes} nodes`);
    }
  }

  #grow(height: number): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) {
      frame.height = Math.max(frame.height, height + 1);
      if (this.#frames.length + height > sopsLimits.depth) {
        this.#fail(`yaml: document is nested more than ${sopsLimits.depth} deep`);
      }
    }
  }

  #fail(problem: string): void {
    this.#problem ??= new MalformedFileError(problem);
  }
}

function rootProblem(root: TreeValue): MalformedFileError | undefined {
  if (root === null || root instanceof Branch) {
    return undefined;
  }
  return Array.isArray(root)
    ? new MalformedFileError("YAML documents that are sequences are not supported")
    : new MalformedFileError("YAML documents that are values are not supported");
}

/** The value of a scalar as yaml.v3 reads it: unlike yaml.v2, it takes `yes` and `on` for texts. */
function valueOf(text: string, plain: boolean, tag: string): TreeValue {
  if (tag === "" && plain) {
    const resolved = resolvePlain(text);
    switch (resolved.tag) {
      case "bool":
        return /^[tf]/i.test(text) ? text.length > 1 && text.toLowerCase() === "true" : text;
      case "timestamp":
        return new Timestamp(text, goTimestamp(text));
      case "str":
        return text;
      default:
        return treeValue(resolved.value, text);
    }
  }
  try {
    return treeValue(resolveScalar(text, plain, tag), text);
  } catch (error) {
    if (error instanceof MisfitError) {
      return null;
    }
    throw error;
  }
}

function treeValue(value: YamlScalar, text: string): TreeValue {
  if (typeof value === "number" || typeof value === "bigint") {
    const type = typeof value === "bigint" || Number.isInteger(value) ? "int" : "float";
    return new SopsNumber(type, value, text);
  }
  if (isYamlFloat(value)) {
    return new SopsNumber("float", value.value, text);
  }
  return isYamlBytes(value) ? value.bytes : value;
}
