import { checkSource, decodeYaml, encodeYaml } from "@weir/yaml/go-yaml";
import { type SavedObject, toSavedObject } from "./saved-object.ts";

/**
 * The objects in an export, one from each document that isn't empty. Throws YamlError or NotAnObjectError
 * before it returns any, so that nothing is saved partially.
 */
export function readExport(text: string): readonly SavedObject[] {
  return [...decodeYaml(checkSource(text))]
    .filter(({ value }) => value !== null)
    .map(({ value, line }) => toSavedObject(value, `the document on line ${line}`));
}

/** A document with the line that separates it from the previous one. */
export function printObject({ content }: SavedObject): string {
  return `---\n${encodeYaml(content)}`;
}
