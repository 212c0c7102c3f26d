import { messageOf } from "@weir/base";

/** An address cannot be listened on; the message says which and why. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly address: string;

  constructor(address: string, reason: string, options?: ErrorOptions) {
    super(`cannot listen on ${address}: ${reason}`, options);
    this.address = address;
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ["EADDRINUSE", "another program listens there"],
  ["EADDRNOTAVAIL", "it is no address of this machine"],
  ["EACCES", "that is not permitted to this user"],
  ["ENOTFOUND", "the name of its host cannot be resolved"],
  ["EAI_AGAIN", "the name of its host cannot be resolved"],
]);

/** What the system said of an address, in words. */
export function toListenError(address: string, cause: unknown): ListenError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return new ListenError(address, reasons.get(code) ?? messageOf(cause), { cause });
}
