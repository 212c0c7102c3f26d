import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import {
  decodeSource,
  decodeYaml,
  entriesOf,
  isYamlBytes,
  isYamlList,
  isYamlMapping,
  scalarText,
  type YamlValue,
} from "@weir/yaml/go-yaml";
import type { ManifestContent } from "./manifest.ts";

/** A file before and after it was decrypted. */
export interface Revealed {
  readonly encrypted: Uint8Array;
  readonly clear: Uint8Array;
}

/** This many consecutive characters reveal a value; a shorter value is hidden where it's in quotes. */
const tellingLength = 6;

const hidden = "<hidden>";

/** Hides what a text quotes from a decrypted file, unless it's also in the encrypted file. */
export function hideDecrypted(text: string, { encrypted, clear }: Revealed): string {
  const [secret, open] = [Buffer.from(clear), Buffer.from(encrypted)];
  const tells = (part: string): boolean => secret.includes(part) && !open.includes(part);
  return hideLong(text, tells).replaceAll(
    /([`"'])([^`"']{1,5})\1/g,
    (quoted, quote: string, value: string) => (tells(value) ? `${quote}${hidden}${quote}` : quoted),
  );
}

function hideLong(text: string, tells: (part: string) => boolean): string {
  let shown = "";
  let end = 0;
  for (let start = 0; start + tellingLength <= text.length; start += 1) {
    if (tells(text.slice(start, start + tellingLength))) {
      shown += start > end || end === 0 ? text.slice(end, start) + hidden : "";
      end = start + tellingLength;
    }
  }
  return shown + text.slice(end);
}

/** The values that anyone can read in an encrypted file. */
export function openTexts(encrypted: Uint8Array): ReadonlySet<string> {
  return new Set([...decodeYaml(decodeSource(encrypted))].flatMap(({ value }) => yamlTexts(value)));
}

/** The values of a manifest that nobody can read in the encrypted file. What identifies an object isn't confidential. */
export function confidentialTexts(
  { json, apiVersion, kind, name, namespace }: ManifestContent,
  open: ReadonlySet<string>,
): ReadonlySet<string> {
  const texts = "error" in json ? [] : jsonTexts(json.value);
  const shown = new Set(["", apiVersion, kind, name, namespace]);
  return new Set(texts.filter((text) => !shown.has(text) && !open.has(text)));
}

function yamlTexts(value: YamlValue): string[] {
  if (isYamlList(value)) {
    return value.flatMap(yamlTexts);
  }
  if (isYamlMapping(value)) {
    return entriesOf(value).flatMap(([, part]) => yamlTexts(part));
  }
  return isYamlBytes(value) ? [] : [scalarText(value)];
}

function jsonTexts(value: JsonValue): string[] {
  if (isJsonArray(value)) {
    return value.flatMap(jsonTexts);
  }
  if (isJsonObject(value)) {
    return Object.values(value).flatMap((part) => (part === undefined ? [] : jsonTexts(part)));
  }
  return value === null ? [] : [String(value)];
}
