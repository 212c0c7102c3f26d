import type { OpenIdOptions } from "../access/openid/provider.ts";
import type { DatabaseLocation } from "../store/location.ts";
import type { Retention } from "../store/retention.ts";

/** What a console is started with. */
export interface ConsoleSettings {
  readonly database: DatabaseLocation;
  /** Where the keys are that encrypt the secrets of channels; an own file is made if there's none. */
  readonly keys: { readonly file: string; readonly isOwn: boolean };
  /** Such as ":8080". */
  readonly listen: string;
  /** "" to show metrics where the page is. */
  readonly listenMetrics: string;
  /** Where people reach the console. */
  readonly publicUrl: URL;
  /** Addresses and ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Hosts with private addresses to which notifications may go. */
  readonly notifyPrivateHosts: readonly string[];
  readonly hasPasswords: boolean;
  /** An identity provider at which people can log in. */
  readonly openId?: OpenIdOptions;
  /** How long a daemon may be away before an event says that it's gone, in milliseconds. */
  readonly goneAfterMs: number;
  readonly retention: Retention;
}
