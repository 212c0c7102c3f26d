/** Reads and writes YAML like Go's yaml.v2 and ghodss/yaml. */
export { DocumentReader, decodeYaml, type YamlDocument } from "./decode.ts";
export { encodeInSteps, encodeYaml, scalarText } from "./encode.ts";
export { YamlError } from "./errors.ts";
export { LineFinder } from "./line-finder.ts";
export { MappingBuilder } from "./mapping-builder.ts";
export { resolvePlain } from "./resolve.ts";
export { styleOf } from "./scalar-style.ts";
export { checkSource, decodeSource, type SourceText } from "./source-text.ts";
export { finish, type Steps } from "./steps.ts";
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
