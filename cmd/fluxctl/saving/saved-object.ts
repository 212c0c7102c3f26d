import {
  entriesOf,
  isYamlList,
  isYamlMap,
  isYamlMapping,
  isYamlObject,
  scalarText,
  type YamlMap,
  type YamlObject,
  type YamlScalar,
  type YamlValue,
  yamlMap,
} from "@weir/yaml/go-yaml";

/** An object of the cluster, with only the parts that belong in version control. */
export interface SavedObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** The content to write, without empty parts. */
  readonly content: YamlObject;
}

/** Annotations that record what happened to an object, not how it should be. */
const transientAnnotations = [
  "deployment.kubernetes.io/revision",
  "kubectl.kubernetes.io/last-applied-configuration",
  "kubernetes.io/change-cause",
];

/**
 * Reduces an exported object to what Flux v1 saves: names, labels, annotations, and the spec, without empty
 * values or values that the cluster sets. `path` names the document in errors. Throws NotAnObjectError.
 */
export function toSavedObject(exported: YamlValue, path: string): SavedObject {
  const object = mappingAt(exported, path);
  const metadata = mappingAt(object["metadata"], `${path}: metadata`);
  const [kind, name, namespace] = [
    textAt(object["kind"], `${path}: kind`),
    textAt(metadata["name"], `${path}: metadata.name`),
    textAt(metadata["namespace"], `${path}: metadata.namespace`),
  ];
  const kept = {
    annotations: textsAt(metadata["annotations"], `${path}: metadata.annotations`, transientAnnotations),
    labels: textsAt(metadata["labels"], `${path}: metadata.labels`),
    name,
    namespace,
  };
  const apiVersion = textAt(object["apiVersion"], `${path}: apiVersion`);
  const spec = specAt(object["spec"], `${path}: spec`);
  return {
    kind,
    name,
    namespace,
    content: withoutEmpty({ apiVersion, kind, metadata: withoutEmpty(kept), spec }),
  };
}

/** A document isn't a Kubernetes object. */
export class NotAnObjectError extends Error {
  override readonly name = "NotAnObjectError";

  constructor(path: string, expected: string) {
    super(`${path} should be ${expected}`);
  }
}

/** As Go: a missing or null value is an empty mapping. */
function mappingAt(value: YamlValue | undefined, path: string): YamlObject {
  if (value === undefined || value === null) {
    return {};
  }
  if (!isYamlMapping(value)) {
    throw new NotAnObjectError(path, "a mapping");
  }
  return isYamlObject(value) ? value : Object.fromEntries(entriesOf(value).map(byText));
}

function byText([key, value]: readonly [YamlScalar, YamlValue]): readonly [string, YamlValue] {
  return [scalarText(key), value];
}

/** As Go, which accepts any scalar as a string. */
function textAt(value: YamlValue | undefined, path: string): string {
  if (value === undefined) {
    return "";
  }
  if (isYamlList(value) || isYamlMapping(value)) {
    throw new NotAnObjectError(path, "a text");
  }
  return scalarText(value);
}

function textsAt(value: YamlValue | undefined, path: string, except: readonly string[] = []): YamlObject {
  const entries = Object.entries(mappingAt(value, path)).filter(([key]) => !except.includes(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, textAt(item, `${path}.${key}`)] as const));
}

/** Removes empty values at this level. */
function withoutEmpty(object: YamlObject): YamlObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== "" && !isEmpty(value)),
  );
}

/** Pod templates have a creation timestamp that is never set. */
const neverSet = ["template", "metadata", "creationTimestamp"];

/** The spec, which can have keys that aren't strings. */
function specAt(value: YamlValue | undefined, path: string): YamlValue {
  const spec = value ?? {};
  if (!isYamlMapping(spec)) {
    throw new NotAnObjectError(path, "a mapping");
  }
  return withoutEmptyDeeply(withoutMember(spec, neverSet));
}

/** Removes the member at a path, if it exists. */
function withoutMember(value: YamlValue, [key, ...deeper]: readonly string[]): YamlValue {
  if (!isYamlMapping(value)) {
    return value;
  }
  return withEntries(
    value,
    entriesOf(value).flatMap(([name, item]) => {
      if (name !== key) {
        return [[name, item] as const];
      }
      return deeper.length === 0 ? [] : [[name, withoutMember(item, deeper)] as const];
    }),
  );
}

/** As Flux v1: removes values that were empty, but not those that become empty as a result. */
function withoutEmptyDeeply(value: YamlValue): YamlValue {
  if (isYamlList(value)) {
    return value.map(withoutEmptyDeeply);
  }
  if (!isYamlMapping(value)) {
    return value;
  }
  const full = entriesOf(value).filter(([, item]) => !isEmpty(item));
  return withEntries(
    value,
    full.map(([key, item]) => [key, withoutEmptyDeeply(item)] as const),
  );
}

/** A mapping of the same type with other entries. */
function withEntries(
  mapping: YamlObject | YamlMap,
  entries: readonly (readonly [YamlScalar, YamlValue])[],
): YamlObject | YamlMap {
  return isYamlMap(mapping) ? yamlMap(entries) : Object.fromEntries(entries.map(byText));
}

function isEmpty(value: YamlValue): boolean {
  if (isYamlList(value)) {
    return value.length === 0;
  }
  return value === null || (isYamlMapping(value) && entriesOf(value).length === 0);
}
