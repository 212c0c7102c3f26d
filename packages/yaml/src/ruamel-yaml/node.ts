import type { Remarks, ScalarStyle } from "./token.ts";

/** The properties of all nodes; `line` is counted from 0. */
interface NodeBase {
  tag: string;
  readonly anchor: string | undefined;
  readonly line: number;
  /** The position of the node's own text, without the anchor or tag before it. */
  readonly start: number;
  end: number;
  remarks: Remarks | undefined;
}

/** A scalar in the file; the text of a missing value is empty. */
export interface ScalarNode extends NodeBase {
  readonly kind: "scalar";
  readonly text: string;
  readonly style: ScalarStyle;
  readonly splitPairs: boolean;
}

/** A sequence in the file. */
export interface SequenceNode extends NodeBase {
  readonly kind: "sequence";
  readonly flow: boolean;
  readonly items: Node[];
}

/** A mapping in the file. */
export interface MappingNode extends NodeBase {
  readonly kind: "mapping";
  readonly flow: boolean;
  readonly pairs: Pair[];
}

/**
 * A key and its value, and their positions, including anchors and tags: an alias has another position than the node
 * that it refers to.
 */
export interface Pair {
  readonly key: Node;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: Node;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** A node; an alias is the same object as the node that it refers to. */
export type Node = ScalarNode | SequenceNode | MappingNode;
