import { messageOf } from "@weir/base";

/** A server can't listen on an address; the message names the address and the reason. */
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
  ["EADDRNOTAVAIL", "this machine has no such address"],
  ["EACCES", "this user is not permitted to"],
  ["ENOTFOUND", "the name of its host cannot be resolved"],
  ["EAI_AGAIN", "the name of its host cannot be resolved"],
]);

/** Converts the system's error for an address to a readable message. */
export function toListenError(address: string, cause: unknown): ListenError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return new ListenError(address, reasons.get(code) ?? messageOf(cause), { cause });
}
