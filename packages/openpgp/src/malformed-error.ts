/** Thrown for bytes that don't have the form of OpenPGP. The message never quotes them: they may be secret. */
export class MalformedError extends Error {
  override readonly name = "MalformedError";
}
