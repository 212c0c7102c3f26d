import { RE2JS, RE2JSSyntaxException } from "re2js";
import type { EncryptionRule } from "./metadata.ts";

/** A place in a tree. */
export interface Place {
  /** The keys from the root to the value. */
  readonly path: readonly string[];
  /** The comments before the value, and before each collection around it, outermost first. */
  readonly comments: readonly (readonly string[])[];
  readonly isComment: boolean;
}

/** Returns the function that decides which values of a file are encrypted. */
export function encryptionTest({ name, pattern }: EncryptionRule): (place: Place) => boolean {
  switch (name) {
    case "unencrypted_suffix":
      return ({ path }) => !path.some((key) => key.endsWith(pattern));
    case "encrypted_suffix":
      return ({ path }) => path.some((key) => key.endsWith(pattern));
    case "unencrypted_regex": {
      const matches = matcher(pattern);
      return ({ path }) => !path.some(matches);
    }
    case "encrypted_regex": {
      const matches = matcher(pattern);
      return ({ path }) => path.some(matches);
    }
    case "unencrypted_comment_regex": {
      const matches = matcher(pattern);
      return ({ comments }) => !comments.some((texts) => texts.some(matches));
    }
    case "encrypted_comment_regex": {
      const matches = matcher(pattern);
      return (place) => commentsOf(place).some((texts) => texts.some(matches));
    }
  }
}

/** A comment isn't encrypted because of its own text. */
function commentsOf({ comments, isComment }: Place): readonly (readonly string[])[] {
  return isComment ? comments.with(-1, comments.at(-1)?.slice(0, -1) ?? []) : comments;
}

/** As in sops, nothing matches an invalid pattern. */
function matcher(pattern: string): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      return () => false;
    }
    throw error;
  }
}
