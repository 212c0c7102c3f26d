import { manifestLimits } from "@weir/base";
import { EditError } from "@weir/yaml/ruamel-yaml";

/** A file to edit: its bytes or its text. */
export type EditInput = string | Uint8Array;

const unprintable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/**
 * The text of a file.
 *
 * @throws EditError if the file is too large, isn't UTF-8, or contains characters that YAML doesn't allow
 */
export function decodeInput(input: EditInput): string {
  if (input.length > manifestLimits.editedFile) {
    throw new EditError(
      `the file is too large to edit: it has ${input.length} bytes, and the limit is ${manifestLimits.editedFile}; split it into smaller files`,
    );
  }
  const text = typeof input === "string" ? input : decodeUtf8(input);
  const at = text.search(unprintable);
  if (at >= 0) {
    const point = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
    throw new EditError(`the character U+${point} isn't allowed in YAML`, lineAt(text, at));
  }
  if (!text.isWellFormed()) {
    throw new EditError("the text contains half a surrogate pair");
  }
  return text;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new EditError("the file isn't valid UTF-8", undefined, { cause });
  }
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
