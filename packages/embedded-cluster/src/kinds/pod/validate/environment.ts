/** Environment variables of containers. */
import { type FieldError, faults } from "../../../field-errors.ts";
import type { Field } from "../../../validate/field.ts";
import { asPrefix, configKey, dnsSubdomain, envName, qualifiedKey } from "../../../validate/text-rules.ts";

const moreThanOne = "may not have more than one field specified at a time";

/** Where a variable may have its value from. */
const sources: ReadonlyMap<string, (source: Field) => FieldError[]> = new Map([
  ["fieldRef", checkFieldRef],
  ["resourceFieldRef", checkResourceRef],
  ["configMapKeyRef", checkKeyRef],
  ["secretKeyRef", checkKeyRef],
  ["fileKeyRef", () => []],
]);

/** Variables one by one. */
export function checkEnv(variables: Field): FieldError[] {
  return variables.each((variable) => [...variable.at("name").check(envName), ...checkSource(variable)]);
}

/** Variables that come all from one object. */
export function checkEnvFrom(origins: Field): FieldError[] {
  return origins.each((origin) => {
    const refs = origin.whichSet(["configMapRef", "secretRef"]);
    return faults(
      origin.at("prefix").check(envName),
      refs.flatMap((ref) => ref.at("name").needs(asPrefix(dnsSubdomain))),
      // As in the API server, the paths of these errors do not say which item is meant.
      refs.length === 0 && origins.invalid("must specify one of: `configMapRef` or `secretRef`", ""),
      refs.length > 1 && origins.invalid(moreThanOne, ""),
    );
  });
}

function checkSource(variable: Field): FieldError[] {
  const from = variable.at("valueFrom");
  if (!from.isSet) {
    return [];
  }
  const set = [...sources].filter(([name]) => from.at(name).isSet);
  const isPlain = variable.at("value").text !== "";
  const none = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
  return faults(
    set.flatMap(([name, check]) => check(from.at(name))),
    set.length === 0 && from.invalid(none, ""),
    set.length > 0 && isPlain && from.invalid("may not be specified when `value` is not empty", ""),
    set.length > 1 && !isPlain && from.invalid(moreThanOne, ""),
  );
}

/** Fields of a pod that are texts. */
const fieldPaths = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Fields of a pod that are maps of texts. */
const maps = ["metadata.labels", "metadata.annotations"];

/** One value of a map, by its key in quotes. */
const subscripted = /^(.+)\['(.*)'\]$/;

/** A field of the pod by its path; of a map one value, by its key. */
function checkFieldRef(ref: Field): FieldError[] {
  const path = ref.at("fieldPath");
  const [, map = path.text, key] = subscripted.exec(path.text) ?? [];
  if (!maps.includes(map)) {
    return path.check(isFieldPath);
  }
  const isFolded = map === "metadata.annotations";
  return key === undefined
    ? path.oneOf(fieldPaths)
    : ref.holding(isFolded ? key.toLowerCase() : key).follows(qualifiedKey);
}

function isFieldPath(path: string): readonly string[] {
  const fault = subscripted.test(path) ? "does not support subscript" : "not supported";
  return fieldPaths.includes(path) ? [] : [`error converting fieldPath: field label ${fault}: ${path}`];
}

const resources = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

function checkResourceRef(ref: Field): FieldError[] {
  const resource = ref.at("resource");
  if (resource.text === "") {
    return [resource.required()];
  }
  return /^(limits|requests)\.hugepages-/.test(resource.text) ? [] : resource.oneOf(resources);
}

function checkKeyRef(ref: Field): FieldError[] {
  return [...ref.at("name").follows(dnsSubdomain), ...ref.at("key").check(configKey)];
}
