/** How a node is marked, and where it begins. */
export interface NodeProperties {
  /** "" where it has none. */
  readonly anchor: string;
  /** In full, "tag:yaml.org,2002:str"; "" where it has none. */
  readonly tag: string;
  /** Counts from 0. */
  readonly line: number;
}

/**
 * Takes what the parser finds in a document, in its order. A mapping gives keys and values in turn. Whoever
 * takes it must not throw before the document has ended: what is wrong with its form comes before what is
 * wrong with its meaning.
 */
export interface NodeSink {
  /** `plain` is true for a scalar whose meaning depends on how it looks. */
  scalar(text: string, plain: boolean, properties: NodeProperties): void;
  /**
   * Another node, by its anchor, on a line that counts from 0. May throw, since an anchor that is not there is an
   * error of form.
   */
  alias(anchor: string, line: number): void;
  startSequence(properties: NodeProperties): void;
  startMapping(properties: NodeProperties): void;
  /** Ends the collection that began last. */
  end(): void;
}
