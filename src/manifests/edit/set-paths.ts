import { EditError, type Mapping, stringIdentity, type Value } from "@weir/yaml/ruamel-yaml";
import type { Changes } from "./changes.ts";
import { type EditOptions, editFile } from "./edit-file.ts";
import { UnresolvedPathsError } from "./errors.ts";
import { lineOf, requireField, requireMapping, stringOf } from "./fields.ts";
import type { EditInput } from "./input.ts";
import { matchingManifests, type Target } from "./target.ts";

/** A field to set, as the keys that lead to it joined by dots. */
export interface PathChange {
  readonly path: string;
  readonly value: string;
}

/** The fields to set, and how the file is written. */
export interface PathChanges extends EditOptions {
  readonly paths: readonly PathChange[];
}

/**
 * Sets fields of the first manifest that is the target to strings, as `kubeyaml set` does. Each has to be there
 * already.
 *
 * @throws UnresolvedPathsError with all paths that lead through a missing key, or to a mapping
 * @throws ManifestNotFoundError where no manifest is the target
 * @throws EditError where the file is not YAML, or a path leads through what is no mapping, or its last key is missing
 */
export function setPaths(input: EditInput, target: Target, { paths, ...options }: PathChanges): string {
  const unresolved: string[] = [];
  const edited = editFile(input, options, (document, log) => {
    for (const manifest of matchingManifests(document, target)) {
      unresolved.push(...setAll(manifest, paths, log));
      return true;
    }
    return false;
  });
  if (unresolved.length > 0) {
    throw new UnresolvedPathsError(unresolved);
  }
  return edited;
}

/** Gives the paths that could not be set. */
function setAll(manifest: Mapping, paths: readonly PathChange[], log: Changes): string[] {
  return paths.filter((change) => !setPath(manifest, change, log)).map(({ path }) => path);
}

function setPath(manifest: Mapping, { path, value }: PathChange, log: Changes): boolean {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let holder: Value | undefined = manifest;
  for (const key of keys) {
    holder = step(holder, key);
    if (holder === undefined) {
      return false;
    }
  }
  const mapping = requireMapping(holder, `what holds "${last}"`);
  if (requireField(mapping, last).kind === "mapping") {
    return false;
  }
  log.setText(mapping, last, value);
  return true;
}

/** What a key leads to; nothing where it is missing. Only a mapping can be gone through. */
function step(holder: Value, key: string): Value | undefined {
  if (holder.kind === "mapping") {
    return holder.has(stringIdentity(key)) ? holder.get(stringIdentity(key)) : undefined;
  }
  if (mayHold(holder, key)) {
    throw new EditError(`"${key}" is looked for in what is no mapping`, lineOf(holder));
  }
  return undefined;
}

/** As Python's `in`: a list or a set holds its members, a string its parts; what else there is cannot be asked. */
function mayHold(holder: Exclude<Value, Mapping>, key: string): boolean {
  switch (holder.kind) {
    case "sequence":
      return holder.items.some((item) => stringOf(item) === key);
    case "set":
      return holder.members.has(stringIdentity(key));
    case "scalar":
      return stringOf(holder)?.includes(key) ?? true;
  }
}
