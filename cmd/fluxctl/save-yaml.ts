import { checkSource, decodeYaml, encodeYaml } from "@weir/yaml/go-yaml";
import { type SavedObject, toSavedObject } from "./saved-object.ts";

/**
 * The objects of an export, one from each document that holds any. Throws YamlError or NotAnObjectError before
 * it gives any, so that nothing is half saved.
 */
export function readExport(text: string): readonly SavedObject[] {
  return [...decodeYaml(checkSource(text))]
    .filter(({ value }) => value !== null)
    .map(({ value, line }) => toSavedObject(value, `the document on line ${line}`));
}

/** A document with the line that separates it from the one before. */
export function printObject({ content }: SavedObject): string {
  return `---\n${encodeYaml(content)}`;
}
