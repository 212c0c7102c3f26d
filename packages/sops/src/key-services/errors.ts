/**
 * A key service couldn't decrypt a data key. The message says why and what to do about it. It contains no credentials,
 * and it doesn't name the key: whoever lists several keys does.
 */
export class KeyServiceError extends Error {
  override readonly name = "KeyServiceError";
}
