import type { ApiCall } from "./api-call.ts";
import type { Fault, WatchFault } from "./fault.ts";

/** What happens to the requests of a client: a fault proxy asks it, and acts. */
export interface FaultPlan {
  /** A broken stream of HTTP/2 is something else than a broken connection. */
  readonly protocol: "h2" | "http/1.1";
  /** How far the server's clock is ahead, in milliseconds. */
  readonly skewMs: number;
  /** How many objects the pages of a list have at most; undefined: as many as asked for. */
  readonly pageSize: number | undefined;
  /** What happens to a call; undefined: nothing. The first of its kind is number 1. */
  faultOf(call: ApiCall, number: number): Fault | undefined;
  /** What happens to the events of a watch. */
  watchFaultOf(call: ApiCall, number: number): WatchFault;
  /** Whether something silent goes on when the faults are over; otherwise, it breaks off. */
  goesOn(call: ApiCall, number: number): boolean;
}
