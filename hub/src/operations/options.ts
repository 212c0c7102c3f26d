import type { Clock, JsonValue } from "@weir/base";
import type { Bus } from "../bus/bus.ts";
import type { Hub } from "../daemons/hub.ts";
import { topics } from "../daemons/ports.ts";
import type { Database } from "../store/database.ts";
import type { Connection } from "../store/schema.ts";

/** What the handlers of operations work with. */
export interface OperationOptions {
  readonly database: Database;
  readonly hub: Pick<Hub, "daemon">;
  readonly bus: Pick<Bus, "publish">;
  readonly clock: Clock;
  /** Where daemons connect: the address for --connect, such as `wss://console.example.com/api/flux`. */
  readonly connectTo: string;
}

/** Tells all consoles of a change of jobs, of a token, or of an instance, when the transaction that makes it is committed. */
export async function tell(
  { bus }: Pick<OperationOptions, "bus">,
  transaction: Connection,
  message: {
    readonly topic: "jobs" | "tokens" | "changes";
    readonly of: { readonly [key: string]: JsonValue };
  },
): Promise<void> {
  await bus.publish(topics[message.topic], message.of, transaction);
}
