import type { Clock, Environment } from "@weir/base";
import type { HttpTransport, TransportOptions } from "@weir/http";

/** What key services need. */
export interface KeyServiceContext {
  readonly env: Environment;
  readonly clock: Clock;
  /** For key services and token endpoints. Uses the proxies in the environment. */
  readonly transport: HttpTransport;
  /** For the metadata services of the machine: allows link-local addresses, and never uses a proxy. */
  readonly localTransport: HttpTransport;
  /** Opens another transport, which is closed with the others. */
  readonly open: (options: Partial<TransportOptions>) => HttpTransport;
  /** The name of the machine or pod, for the audit logs of services. */
  readonly hostName: string;
  /** Spreads repeated requests; returns numbers from 0 up to 1. */
  readonly random?: (() => number) | undefined;
}
