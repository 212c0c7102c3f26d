import { maxJsonDepth } from "@weir/base";
import { meaningError, YamlError } from "./errors.ts";
import { MappingBuilder } from "./mapping-builder.ts";
import { NodeBudget } from "./node-budget.ts";
import { MisfitError, resolveScalar } from "./resolve.ts";
import type { NodeProperties, NodeSink } from "./sink.ts";
import { isYamlList, isYamlMap, isYamlMapping, type YamlScalar, type YamlValue } from "./value.ts";

/** A node that an alias can refer to. */
interface Anchored {
  value: YamlValue;
  /** The number of its nodes, including those that its aliases refer to. */
  weight: number;
  /** The depth of nested collections in it, including itself. */
  height: number;
  /** Its end hasn't been read yet. */
  open: boolean;
}

/** A collection whose end hasn't been read yet. */
interface Frame {
  readonly content: YamlValue[] | MappingBuilder;
  readonly anchored: Anchored | undefined;
  readonly countBefore: number;
  /** Counted from 0. */
  readonly line: number;
  /** The depth of nested collections in it so far, including itself. */
  height: number;
  /** The key whose value comes next. */
  key: { readonly value: YamlScalar } | "merge" | undefined;
}

/** A document, and whether it's plain JSON. */
export interface Composed {
  readonly value: YamlValue;
  readonly isJson: boolean;
}

/**
 * Converts nodes to values, as yaml.v2 decodes a document without a type. Errors in the meaning of a document are kept
 * until `take`, because errors in its syntax are reported first.
 */
export class Composer implements NodeSink {
  #frames: Frame[] = [];
  #anchors = new Map<string, Anchored>();
  #budget = new NodeBudget();
  #root: YamlValue = null;
  #isJson = true;
  #problem: YamlError | undefined;

  /** Returns the completed document and prepares for the next one. Throws YamlError if its meaning is invalid. */
  take(): Composed {
    const problem = this.#problem ?? this.#budget.problem;
    const composed = { value: this.#root, isJson: this.#isJson };
    this.#frames = [];
    this.#anchors = new Map();
    this.#budget = new NodeBudget();
    this.#root = null;
    this.#isJson = true;
    this.#problem = undefined;
    if (problem !== undefined) {
      throw problem;
    }
    return composed;
  }

  scalar(text: string, plain: boolean, { anchor, tag, line }: NodeProperties): void {
    const frame = this.#frames.at(-1);
    if (frame?.key === "merge") {
      this.#fail(mergeProblem);
    }
    const value = this.#resolve(text, plain, tag, line);
    this.#isJson &&= value === null || (typeof value !== "object" && typeof value !== "bigint");
    if (anchor !== "") {
      this.#anchors.set(anchor, { value, weight: 1, height: 0, open: false });
    }
    if (frame !== undefined && expectsKey(frame) && isMergeKey(text, plain, tag)) {
      frame.key = "merge";
    } else {
      this.#budget.count(1);
      this.#add(value, 0, false, line);
    }
  }

  alias(anchor: string, line: number): void {
    const anchored = this.#anchors.get(anchor);
    if (anchored === undefined) {
      throw meaningError("unknown anchor referenced", line);
    }
    if (anchored.open) {
      this.#problem ??= meaningError("anchor value contains itself", line);
    }
    this.#budget.count(1);
    this.#budget.countAlias(anchored.weight);
    this.#add(anchored.value, anchored.height, true, line);
  }

  startSequence(properties: NodeProperties): void {
    const isMerged = this.#frames.at(-1)?.key === "merge";
    this.#start([], properties, isMerged ? 0 : 1);
  }

  startMapping(properties: NodeProperties): void {
    this.#start(new MappingBuilder(), properties, 1);
  }

  end(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) {
      return;
    }
    const { content, anchored, height, line } = frame;
    const value = content instanceof MappingBuilder ? content.build() : content;
    this.#isJson &&= !isYamlMap(value);
    if (anchored !== undefined) {
      anchored.value = value;
      anchored.weight = this.#budget.total - frame.countBefore;
      anchored.height = height;
      anchored.open = false;
    }
    this.#add(value, height, false, line);
  }

  #start(content: Frame["content"], { anchor, line }: NodeProperties, count: number): void {
    const anchored: Anchored | undefined =
      anchor === "" ? undefined : { value: null, weight: 0, height: 0, open: true };
    if (anchored !== undefined) {
      this.#anchors.set(anchor, anchored);
    }
    const countBefore = this.#budget.total;
    this.#frames.push({ content, anchored, countBefore, line, height: 1, key: undefined });
    this.#budget.count(count);
  }

  #add(value: YamlValue, height: number, isAlias: boolean, line: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#root = value;
      this.#isJson &&= height <= maxJsonDepth;
      return;
    }
    frame.height = Math.max(frame.height, height + 1);
    if (!(frame.content instanceof MappingBuilder)) {
      frame.content.push(value);
    } else if (frame.key === undefined) {
      frame.key = { value: this.#toKey(value, line) };
    } else {
      this.#addEntry(frame.content, frame.key, value, isAlias);
      frame.key = undefined;
    }
  }

  #addEntry(
    mapping: MappingBuilder,
    key: { readonly value: YamlScalar } | "merge",
    value: YamlValue,
    isAlias: boolean,
  ): void {
    if (key === "merge") {
      this.#merge(mapping, value, isAlias);
    } else {
      mapping.set(key.value, value);
    }
  }

  /** Merged entries take precedence over the entries before them; of several mappings, the first takes precedence. */
  #merge(mapping: MappingBuilder, value: YamlValue, isAlias: boolean): void {
    const sources = isYamlList(value) && !isAlias ? value.toReversed() : [value];
    for (const source of sources) {
      if (!isYamlMapping(source)) {
        this.#fail(mergeProblem);
        return;
      }
      mapping.setAll(source);
    }
  }

  #toKey(value: YamlValue, line: number): YamlScalar {
    if (isYamlList(value) || isYamlMapping(value)) {
      this.#problem ??= meaningError(`invalid map key: ${isYamlList(value) ? "!!seq" : "!!map"}`, line);
      return null;
    }
    return value;
  }

  #resolve(text: string, plain: boolean, tag: string, line: number): YamlScalar {
    try {
      return resolveScalar(text, plain, tag);
    } catch (error) {
      if (!(error instanceof MisfitError)) {
        throw error;
      }
      this.#problem ??= meaningError(error.message, line);
      return null;
    }
  }

  #fail(problem: string): void {
    this.#problem ??= new YamlError(problem);
  }
}

const mergeProblem = "map merge requires map or sequence of maps as the value";

function expectsKey({ content, key }: Frame): boolean {
  return content instanceof MappingBuilder && key === undefined;
}

function isMergeKey(text: string, plain: boolean, tag: string): boolean {
  return text === "<<" && (plain || tag === "tag:yaml.org,2002:merge");
}
