import type { Remarks, ScalarStyle } from "./token.ts";

/** What all nodes have; `line` counts from 0. */
interface NodeBase {
  tag: string;
  readonly anchor: string | undefined;
  readonly line: number;
  /** Where the node's own text is, without the anchor or tag before it. */
  readonly start: number;
  end: number;
  remarks: Remarks | undefined;
}

/** A scalar as it is in the file; a missing value is one with no text. */
export interface ScalarNode extends NodeBase {
  readonly kind: "scalar";
  readonly text: string;
  readonly style: ScalarStyle;
  readonly splitPairs: boolean;
}

/** A sequence as it is in the file. */
export interface SequenceNode extends NodeBase {
  readonly kind: "sequence";
  readonly flow: boolean;
  readonly items: Node[];
}

/** A mapping as it is in the file. */
export interface MappingNode extends NodeBase {
  readonly kind: "mapping";
  readonly flow: boolean;
  readonly pairs: Pair[];
}

/**
 * A key and its value, and where they stand, with their anchors and tags: an alias stands elsewhere than the node
 * that it names.
 */
export interface Pair {
  readonly key: Node;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: Node;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** A node; an alias is the very node that it names. */
export type Node = ScalarNode | SequenceNode | MappingNode;
