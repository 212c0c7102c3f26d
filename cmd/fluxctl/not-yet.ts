/** A command that this version has no answer to yet. */
export class NotSupportedYetError extends Error {
  override readonly name = "NotSupportedYetError";

  constructor(command: string, instead: string) {
    super(`fluxctl ${command} is not supported by this version of Weir yet; ${instead}`);
  }
}
