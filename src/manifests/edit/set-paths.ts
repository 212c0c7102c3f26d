import { EditError, type Mapping, stringIdentity, type Value } from "@weir/yaml/ruamel-yaml";
import type { Changes } from "./changes.ts";
import { type EditOptions, editFile } from "./edit-file.ts";
import { UnresolvedPathsError } from "./errors.ts";
import { lineOf, requireField, requireMapping, stringOf } from "./fields.ts";
import type { EditInput } from "./input.ts";
import { matchingManifests, type Target } from "./target.ts";

/** A field to set, given as the keys that lead to it, joined with dots. */
export interface PathChange {
  readonly path: string;
  readonly value: string;
}

/** The fields to set, and how to write the file. */
export interface PathChanges extends EditOptions {
  readonly paths: readonly PathChange[];
}

/**
 * Sets fields of the first matching manifest to strings, as `kubeyaml set` does. Each field must exist already.
 *
 * @throws UnresolvedPathsError with all paths that contain a missing key, or that lead to a mapping
 * @throws ManifestNotFoundError if no manifest matches
 * @throws EditError if the file isn't valid YAML, or a path leads through a value that isn't a mapping, or its last key
 * is missing
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

/** Returns the paths that couldn't be set. */
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

/** The value for a key; undefined if it's missing. Only mappings can be traversed. */
function step(holder: Value, key: string): Value | undefined {
  if (holder.kind === "mapping") {
    return holder.has(stringIdentity(key)) ? holder.get(stringIdentity(key)) : undefined;
  }
  if (mayHold(holder, key)) {
    throw new EditError(`"${key}" can't be looked up, because its parent isn't a mapping`, lineOf(holder));
  }
  return undefined;
}

/** Like Python's `in`: a list or set contains its members, a string its substrings; other values can't be searched. */
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
