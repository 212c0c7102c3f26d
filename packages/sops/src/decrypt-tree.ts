import { createHash } from "node:crypto";
import { nodesOfStep, type Steps } from "@weir/yaml/go-yaml";
import { decryptValue } from "./encrypted-value.ts";
import { encryptionTest, type Place } from "./encryption-rule.ts";
import { SopsError, ValueError } from "./errors.ts";
import { printFixed } from "./go-numbers.ts";
import { sopsLimits } from "./limits.ts";
import type { Metadata } from "./metadata.ts";
import {
  Branch,
  type BranchItem,
  Comment,
  type EncryptedTree,
  isList,
  type Leaf,
  SopsNumber,
  Timestamp,
  type TreeValue,
} from "./tree.ts";

/** The start of a MAC that covers only encrypted values: the SHA-256 of "sops". */
const macOnlyEncryptedStart = Buffer.from(
  "8a3fd2ad54ce66527b1034f3d147be0b0b975b3bf44f72c6fdadec8176f27d69",
  "hex",
);

/** The decrypted content of a file, and the MAC that it should have. */
export interface DecryptedTree {
  readonly branches: readonly Branch[];
  /** In hexadecimal digits, uppercase. */
  readonly mac: string;
}

/** Decrypts all values of a file, step by step. Throws SopsError if one can't be decrypted. */
export function* decryptTree(
  { branches }: Pick<EncryptedTree, "branches">,
  metadata: Pick<Metadata, "rule" | "macOnlyEncrypted">,
  key: Uint8Array,
): Steps<DecryptedTree> {
  const walk = new TreeWalk(metadata, key);
  const decrypted: Branch[] = [];
  for (const branch of branches) {
    decrypted.push(yield* walk.branch(branch, { path: [], comments: [] }));
  }
  return { branches: decrypted, mac: walk.mac };
}

/** The place of a collection. */
type Surroundings = Pick<Place, "path" | "comments">;

class TreeWalk {
  readonly #key: Uint8Array;
  readonly #isEncrypted: (place: Place) => boolean;
  readonly #macOnlyEncrypted: boolean;
  readonly #hash = createHash("sha512");
  #nodes = 0;
  #characters = 0;

  constructor({ rule, macOnlyEncrypted }: Pick<Metadata, "rule" | "macOnlyEncrypted">, key: Uint8Array) {
    this.#key = key;
    this.#isEncrypted = encryptionTest(rule);
    this.#macOnlyEncrypted = macOnlyEncrypted;
    if (macOnlyEncrypted) {
      this.#hash.update(macOnlyEncryptedStart);
    }
  }

  get mac(): string {
    return this.#hash.digest("hex").toUpperCase();
  }

  *branch({ items }: Branch, { path, comments }: Surroundings): Steps<Branch> {
    const decrypted: BranchItem[] = [];
    let before: readonly string[] = [];
    for (const { key, value } of items) {
      if (key instanceof Comment) {
        before = [...before, key.text];
        const comment = this.#comment(key, { path, comments: [...comments, before] });
        decrypted.push({ key: asComment(comment), value: null });
      } else {
        const place = { path: [...path, key], comments: [...comments, before] };
        decrypted.push({ key, value: yield* this.#value(value, place) });
        before = [];
      }
    }
    return new Branch(decrypted);
  }

  *#list(items: readonly TreeValue[], { path, comments }: Surroundings): Steps<readonly TreeValue[]> {
    const decrypted: TreeValue[] = [];
    let before: readonly string[] = [];
    for (const item of items) {
      if (item instanceof Comment) {
        before = [...before, item.text];
        decrypted.push(this.#comment(item, { path, comments: [...comments, before] }));
      } else {
        decrypted.push(yield* this.#value(item, { path, comments: [...comments, before] }, true));
        before = [];
      }
    }
    return decrypted;
  }

  *#value(value: TreeValue, place: Surroundings, inList = false): Steps<TreeValue> {
    this.#nodes += 1;
    if (this.#nodes % nodesOfStep === 0) {
      yield;
    }
    if (value instanceof Branch) {
      return yield* this.branch(value, place);
    }
    if (isList(value)) {
      return yield* this.#list(value, place);
    }
    if (value === null || value instanceof Comment) {
      return value;
    }
    const leaf = this.#leaf(value, place);
    if (leaf instanceof Comment && !inList) {
      // sops encrypts comments in lists as items, but never as the value of a key.
      throw new ValueError(`Error walking tree: the value of ${shown(place)} is a comment`);
    }
    return leaf;
  }

  #leaf(value: Leaf, place: Surroundings): Leaf | Comment {
    const isEncrypted = this.#isEncrypted({ ...place, isComment: false });
    const decrypted = isEncrypted ? this.#decrypt(value, place) : value;
    if (isEncrypted || !this.#macOnlyEncrypted) {
      this.#count(decrypted);
    }
    return decrypted;
  }

  /**
   * A comment that can't be decrypted was never encrypted: comments have no MAC. As in sops, one that turns out to be a
   * value counts as one.
   */
  #comment(comment: Comment, place: Surroundings): Comment | Leaf {
    if (!this.#isEncrypted({ ...place, isComment: true })) {
      return comment;
    }
    try {
      const decrypted = decryptValue(comment.text, this.#key, placeText(place));
      this.#count(decrypted);
      return decrypted;
    } catch (error) {
      if (error instanceof ValueError) {
        return comment;
      }
      throw error;
    }
  }

  #decrypt(value: Leaf, place: Surroundings): Leaf | Comment {
    const at = placeText(place);
    if (typeof value !== "string") {
      throw new ValueError(`Error walking tree: the value of ${shown(place)} isn't encrypted`);
    }
    try {
      return decryptValue(value, this.#key, at);
    } catch (error) {
      if (error instanceof ValueError) {
        throw new ValueError(`Error walking tree: ${error.message} (at ${shown(place)})`, { cause: error });
      }
      throw error;
    }
  }

  #count(value: Leaf | Comment): void {
    if (value instanceof Comment) {
      return;
    }
    const bytes = macBytes(value);
    this.#characters += bytes.length;
    if (this.#characters > sopsLimits.characters) {
      throw new SopsError(`the decrypted values are longer than ${sopsLimits.characters} characters`);
    }
    this.#hash.update(bytes);
  }
}

/** The additional data of a value: where it is. The items of a list have no place of their own. */
function placeText({ path }: Surroundings): string {
  return `${path.join(":")}:`;
}

function asComment(value: Comment | Leaf): Comment {
  return value instanceof Comment ? value : new Comment(typeof value === "string" ? value : "");
}

const longestShown = 100;

function shown({ path }: Surroundings): string {
  const text = path.join(".");
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

const largestInt = 2n ** 63n - 1n;

function macBytes(value: Leaf): string | Uint8Array {
  if (value instanceof SopsNumber) {
    if (typeof value.value === "bigint" && value.value > largestInt) {
      throw new ValueError("Error walking tree: Cannot walk value, unknown type: uint64");
    }
    return printFixed(value);
  }
  if (value instanceof Timestamp) {
    return value.rfc3339;
  }
  return typeof value === "boolean" ? (value ? "True" : "False") : value;
}
