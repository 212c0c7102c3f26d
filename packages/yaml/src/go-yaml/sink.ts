/** The anchor, the tag, and the position of a node. */
export interface NodeProperties {
  /** "" if it has none. */
  readonly anchor: string;
  /** In full, as "tag:yaml.org,2002:str"; "" if it has none. */
  readonly tag: string;
  /** Counted from 0. */
  readonly line: number;
  /** The column of a block collection, counted from 0; -1 for all other nodes. */
  readonly column: number;
}

/**
 * Receives the nodes of a document from the parser, in order. A mapping sends keys and values alternately.
 * Implementations must not throw before the document has ended, because syntax errors are reported before errors in the
 * meaning.
 */
export interface NodeSink {
  /** `plain` is true for a scalar whose meaning depends on its text. */
  scalar(text: string, plain: boolean, properties: NodeProperties): void;
  /** Another node, by its anchor, on a line counted from 0. May throw, because an unknown anchor is a syntax error. */
  alias(anchor: string, line: number): void;
  startSequence(properties: NodeProperties): void;
  startMapping(properties: NodeProperties): void;
  /** Ends the innermost open collection. */
  end(): void;
}
