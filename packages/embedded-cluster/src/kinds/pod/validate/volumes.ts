/** Volumes of pods: each a name and one source. */
import { type FieldError, faults } from "../../../field-errors.ts";
import { checkDriver } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { checkOneType, type Types } from "../../../validate/one-type.ts";
import { descendingPath, dnsLabel, noBackSteps, type TextRule } from "../../../validate/text-rules.ts";

/** The volumes of a pod, and the names of those that are good. */
export interface CheckedVolumes {
  readonly errors: readonly FieldError[];
  readonly names: ReadonlySet<string>;
}

/** Checks all volumes. */
export function checkVolumes(volumes: Field): CheckedVolumes {
  const names = new Set<string>();
  const errors = volumes.each((volume) => {
    const name = volume.at("name");
    const kinds = Object.keys(volume.tree).filter((key) => key !== "name");
    const found = faults(
      checkOneType(volume, kinds, sources),
      name.check(dnsLabel),
      names.has(name.text) && name.duplicate(),
    );
    if (found.length === 0) {
      names.add(name.text);
    }
    return found;
  });
  return { errors, names };
}

const sources: Types = {
  what: "volume",
  checks: new Map([
    ["configMap", (source) => [...source.at("name").needs(), ...checkFiles(source)]],
    ["secret", (source) => [...source.at("secretName").needs(), ...checkFiles(source)]],
    ["persistentVolumeClaim", (source) => source.at("claimName").check()],
    ["hostPath", checkHostPath],
    ["nfs", checkNfs],
    ["csi", (source) => checkDriver(source.at("driver"))],
    ["projected", checkProjected],
    ["downwardAPI", checkFacts],
  ]),
};

function checkMode(mode: Field): FieldError[] {
  const isGood = mode.number >= 0 && mode.number <= 0o777;
  return faults(isGood || mode.invalid("must be a number between 0 and 0777 (octal), both inclusive"));
}

function checkFiles(source: Field): FieldError[] {
  return [...checkMode(source.at("defaultMode")), ...source.at("items").each(checkFile)];
}

/** A key of an object as a file. */
function checkFile(item: Field): FieldError[] {
  return [...item.at("key").check(), ...item.at("path").check(filePath), ...checkMode(item.at("mode"))];
}

const filePath: TextRule = (path) => [
  ...descendingPath(path),
  ...(/^\.\.(?!\/)./.test(path) ? ["must not start with '..'"] : []),
];

/** Files that tell of the pod itself. As in the API server, a path does not say which item is meant. */
function checkFacts(source: Field): FieldError[] {
  return [
    ...checkMode(source.at("defaultMode")),
    ...source.at("items").each((item) => checkFact(item.shownAs(source.path))),
  ];
}

function checkFact(item: Field): FieldError[] {
  const isAny = item.whichSet(["fieldRef", "resourceFieldRef"]).length > 0;
  return faults(
    item.at("path").check(descendingPath),
    isAny || item.required("one of fieldRef and resourceFieldRef is required"),
    checkMode(item.at("mode")),
  );
}

function checkHostPath(source: Field): FieldError[] {
  const path = source.at("path");
  return path.text === "" ? [path.required()] : [...path.follows(noBackSteps), ...source.at("type").check()];
}

function checkNfs(source: Field): FieldError[] {
  const path = source.at("path");
  return faults(
    source.all(["server", "path"], (field) => field.check()),
    path.text.startsWith("/") || path.invalid("must be an absolute path"),
  );
}

function checkProjected(source: Field): FieldError[] {
  return [...checkMode(source.at("defaultMode")), ...source.at("sources").each(checkProjection)];
}

function checkProjection(projection: Field): FieldError[] {
  const isMixed = Object.keys(projection.tree).length > 1;
  return faults(
    projection
      .whichSet(["secret", "configMap"])
      .flatMap((one) => [...one.at("name").needs(), ...one.at("items").each(checkFile)]),
    isMixed && projection.forbidden("may not specify more than 1 volume type per source"),
  );
}
