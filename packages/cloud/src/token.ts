import type { Expiring } from "./renewed.ts";

/** A token for the APIs of a cloud. */
export interface AccessToken extends Expiring {
  readonly text: string;
}
