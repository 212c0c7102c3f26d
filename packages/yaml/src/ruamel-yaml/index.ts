/** Reads, edits, and writes YAML with its comments and layout, like Python's ruamel.yaml. */
export type { YamlDocument } from "./document.ts";
export { EditError } from "./errors.ts";
export { MappingValue } from "./mapping-value.ts";
export type { MappingNode, Node, Pair, ScalarNode } from "./node.ts";
export { printString } from "./print-scalar.ts";
export { tags } from "./resolve.ts";
export { sameValues } from "./same-values.ts";
export { newString, stringIdentity, stringOfIdentity } from "./scalar-value.ts";
export { foldMark } from "./scan-block-scalar.ts";
export { Scanner } from "./scanner.ts";
export { readStream, writeStream, type YamlStream } from "./stream.ts";
export type { ScalarStyle } from "./token.ts";
export { type Mapping, ScalarValue, type Value } from "./value.ts";
