import { InvalidImageRefError, parseImageRef, printImageRef } from "../image/ref.ts";
import { latestImageSpec } from "./spec.ts";

/**
 * The image to release, as named by a person: with its tag, or latestImageSpec. Like Flux v1's ParseImageSpec. Throws
 * InvalidImageRefError.
 */
export function parseImageSpec(text: string): string {
  if (text === latestImageSpec) {
    return text;
  }
  const ref = parseImageRef(text);
  if (ref.tag === "") {
    throw new InvalidImageRefError(
      text,
      "blank tag (if you want latest, explicitly state the tag :latest): invalid image ID",
    );
  }
  return printImageRef(ref);
}
