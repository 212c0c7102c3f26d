import type { Clock } from "@weir/base";
import type { Network } from "../network.ts";

/** What sending a message needs. */
export interface Services {
  readonly network: Network;
  readonly clock: Clock;
}
