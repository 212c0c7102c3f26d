/** Reads and writes YAML like Go's yaml.v2 and ghodss/yaml. */
export type { SourceComment } from "./cursor.ts";
export { DocumentReader, decodeYaml, type YamlDocument } from "./decode.ts";
export { encodeInSteps, encodeYaml, scalarText } from "./encode.ts";
export { YamlError } from "./errors.ts";
export { printGoFloat } from "./go-float.ts";
export { LineFinder } from "./line-finder.ts";
export { MappingBuilder } from "./mapping-builder.ts";
export { Parser } from "./parser.ts";
export { printDoubleQuoted, printSingleQuoted } from "./print-quoted.ts";
export { MisfitError, resolvePlain, resolveScalar } from "./resolve.ts";
export { isMultiline, styleOf } from "./scalar-style.ts";
export { Scanner } from "./scanner.ts";
export type { NodeProperties, NodeSink } from "./sink.ts";
export { checkSource, decodeSource, type SourceText } from "./source-text.ts";
export { finish, nodesOfStep, type Steps } from "./steps.ts";
export { toKubeJson, YamlToJsonError } from "./to-json.ts";
export {
  entriesOf,
  isYamlBytes,
  isYamlFloat,
  isYamlList,
  isYamlMap,
  isYamlMapping,
  isYamlObject,
  namedEntriesOf,
  type YamlMap,
  type YamlObject,
  type YamlScalar,
  type YamlValue,
  yamlMap,
} from "./value.ts";
