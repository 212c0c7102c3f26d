/** Volumes of pods: each a name and one source. */
import { duplicate, type FieldError, faults, forbidden, invalid, required } from "../../../field-errors.ts";
import { numberAt, stringAt, type Tree, treeAt, treesAt } from "../../../tree.ts";
import { dnsLabel } from "../../../validate/text-rules.ts";
import { below, checkEach, checkEnum, checkRequiredText } from "../../../validate/tree-checks.ts";
import { checkDescending } from "./containers.ts";

/** The volumes of a pod, and the names of those that are good. */
export interface CheckedVolumes {
  readonly errors: readonly FieldError[];
  readonly names: ReadonlySet<string>;
}

/** Checks all volumes. */
export function checkVolumes(path: string, spec: Tree): CheckedVolumes {
  const names = new Set<string>();
  const errors = checkEach(path, treesAt(spec, "volumes"), (at, volume) => {
    const name = stringAt(volume, "name");
    const found = faults(
      checkSource(at, volume),
      checkRequiredText(below(at, "name"), name, dnsLabel),
      names.has(name) && duplicate(below(at, "name"), name),
    );
    if (found.length === 0) {
      names.add(name);
    }
    return found;
  });
  return { errors, names };
}

function checkSource(path: string, volume: Tree): FieldError[] {
  const [first, ...more] = Object.keys(volume).filter(
    (key) => key !== "name" && treeAt(volume, key) !== undefined,
  );
  if (first === undefined) {
    return [required(path, "must specify a volume type")];
  }
  return [
    ...checkKind(below(path, first), first, treeAt(volume, first)),
    ...more.map((kind) => forbidden(below(path, kind), "may not specify more than 1 volume type")),
  ];
}

const modeMessage = "must be a number between 0 and 0777 (octal), both inclusive";

function checkMode(path: string, mode: number | undefined): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777) ? [invalid(path, mode, modeMessage)] : [];
}

function checkKind(path: string, kind: string, source: Tree | undefined): FieldError[] {
  const need = (...fields: readonly string[]): FieldError[] =>
    fields.flatMap((field) => checkRequiredText(below(path, field), stringAt(source, field)));
  switch (kind) {
    case "configMap":
      return [...need("name"), ...checkFiles(path, source)];
    case "secret":
      return [...need("secretName"), ...checkFiles(path, source)];
    case "persistentVolumeClaim":
      return need("claimName");
    case "hostPath":
      return checkHostPath(path, source);
    case "nfs":
      return faults(
        need("server", "path"),
        stringAt(source, "path").startsWith("/") ||
          invalid(below(path, "path"), stringAt(source, "path"), "must be an absolute path"),
      );
    case "csi":
      return need("driver");
    case "projected":
      return checkProjected(path, source);
    case "downwardAPI":
      return [
        ...checkMode(below(path, "defaultMode"), numberAt(source, "defaultMode")),
        ...checkFacts(path, source),
      ];
    default:
      return [];
  }
}

function checkFiles(path: string, source: Tree | undefined): FieldError[] {
  return [
    ...checkMode(below(path, "defaultMode"), numberAt(source, "defaultMode")),
    ...checkItems(below(path, "items"), source),
  ];
}

function checkItems(path: string, source: Tree | undefined): FieldError[] {
  return checkEach(path, treesAt(source, "items"), (at, item) => {
    const target = stringAt(item, "path");
    return faults(
      checkRequiredText(below(at, "key"), stringAt(item, "key")),
      checkRequiredText(below(at, "path"), target),
      checkDescending(below(at, "path"), target),
      /^\.\.(?!\/)./.test(target) && invalid(below(at, "path"), target, "must not start with '..'"),
      checkMode(below(at, "mode"), numberAt(item, "mode")),
    );
  });
}

/** Files that tell of the pod itself. As in the API server, a path does not say which item is meant. */
function checkFacts(path: string, source: Tree | undefined): FieldError[] {
  return treesAt(source, "items").flatMap((item) => {
    const target = stringAt(item, "path");
    const isSet = treeAt(item, "fieldRef") !== undefined || treeAt(item, "resourceFieldRef") !== undefined;
    return faults(
      checkRequiredText(below(path, "path"), target),
      checkDescending(below(path, "path"), target),
      isSet || required(path, "one of fieldRef and resourceFieldRef is required"),
      checkMode(below(path, "mode"), numberAt(item, "mode")),
    );
  });
}

function checkHostPath(path: string, source: Tree | undefined): FieldError[] {
  const target = stringAt(source, "path");
  if (target === "") {
    return [required(below(path, "path"))];
  }
  return faults(
    target.split("/").includes("..") && invalid(below(path, "path"), target, "must not contain '..'"),
    checkEnum(path, source, "core.v1.HostPathVolumeSource.type"),
  );
}

function checkProjected(path: string, source: Tree | undefined): FieldError[] {
  return [
    ...checkMode(below(path, "defaultMode"), numberAt(source, "defaultMode")),
    ...checkEach(below(path, "sources"), treesAt(source, "sources"), (at, one) =>
      faults(
        ["secret", "configMap"].flatMap((kind) => {
          const projection = treeAt(one, kind);
          const inner = below(at, kind);
          return projection === undefined
            ? []
            : [
                ...checkRequiredText(below(inner, "name"), stringAt(projection, "name")),
                ...checkItems(below(inner, "items"), projection),
              ];
        }),
        Object.keys(one).length > 1 && forbidden(at, "may not specify more than 1 volume type per source"),
      ),
    ),
  ];
}
