import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** A secret can't be encrypted or decrypted with the keys that the console has. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";
}

/** A key, and what its ciphertexts call it. */
interface NamedKey {
  readonly name: string;
  readonly key: Uint8Array;
}

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const version = "v1";

/**
 * Encrypts the secrets that the console has to send to others, such as tokens of chat services, so that the database and
 * its backups are worth nothing without the key. What others only have to prove to the console is stored as a hash
 * instead. AES-256-GCM with a random nonce for each secret.
 */
export class SecretBox {
  readonly #keys: readonly [NamedKey, ...NamedKey[]];

  /** The first key encrypts; all of them decrypt, so that a key can be replaced without losing what it encrypted. */
  constructor([first, ...others]: readonly [Uint8Array, ...Uint8Array[]]) {
    this.#keys = [named(first), ...others.map(named)];
  }

  /**
   * Encrypts a text. `owner` says whose secret it is, such as a table and an ID: what was sealed for one owner can't be
   * opened for another, so moving a ciphertext to another row gains nothing.
   */
  seal(secret: string, owner: string): string {
    const [{ name, key }] = this.#keys;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(owner));
    const encrypted = Buffer.concat([
      nonce,
      cipher.update(secret, "utf8"),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return [version, name, encrypted.toString("base64url")].join(".");
  }

  /** Decrypts what `seal` returned for the same owner. Throws SecretBoxError. */
  open(sealed: string, owner: string): string {
    const [format = "", name = "", body = ""] = sealed.split(".");
    const encrypted = Buffer.from(body, "base64url");
    if (format !== version || encrypted.length < nonceBytes + tagBytes) {
      throw new SecretBoxError("the stored secret has an unknown format: enter it again");
    }
    return decrypt(this.#keyNamed(name), encrypted, owner);
  }

  /** True if a sealed secret should be sealed again because it was sealed with another key than the first. */
  isOutdated(sealed: string): boolean {
    return sealed.split(".")[1] !== this.#keys[0].name;
  }

  #keyNamed(name: string): Uint8Array {
    const found = this.#keys.find((each) => each.name === name);
    if (found === undefined) {
      throw new SecretBoxError(
        `the stored secret was encrypted with the key ${JSON.stringify(name)}, which the console doesn't have: add that key to the key file, or enter the secret again`,
      );
    }
    return found.key;
  }
}

/**
 * Reads the content of a key file: a key of 32 bytes in base64 on each line, the one that encrypts first. Empty lines and
 * lines that start with # are skipped. Throws SecretBoxError.
 */
export function parseSecretKeys(text: string): [Uint8Array, ...Uint8Array[]] {
  const lines = text.split("\n").map((line) => line.trim());
  const [first, ...others] = lines.filter((line) => line !== "" && !line.startsWith("#")).map(parseKey);
  if (first === undefined) {
    throw new SecretBoxError("the key file is empty: write a key into it with `openssl rand -base64 32`");
  }
  return [first, ...others];
}

function parseKey(line: string, index: number): Uint8Array {
  const key = Buffer.from(line, "base64");
  if (key.length !== keyBytes || !/^[\w+/-]+=*$/.test(line)) {
    throw new SecretBoxError(
      `key ${index + 1} in the key file isn't 32 bytes in base64: make one with \`openssl rand -base64 32\``,
    );
  }
  return key;
}

function decrypt(key: Uint8Array, encrypted: Buffer, owner: string): string {
  const tagAt = encrypted.length - tagBytes;
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(encrypted.subarray(tagAt));
  try {
    return decipher.update(encrypted.subarray(nonceBytes, tagAt), undefined, "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new SecretBoxError("the stored secret was changed, or belongs to something else: enter it again", {
      cause,
    });
  }
}

/** The name reveals nothing about the key: it's the start of a hash. */
function named(key: Uint8Array): NamedKey {
  if (key.length !== keyBytes) {
    throw new SecretBoxError(`a key for secrets has ${keyBytes} bytes, not ${key.length}`);
  }
  return { key, name: createHash("sha256").update("weir secret key").update(key).digest("hex").slice(0, 8) };
}
