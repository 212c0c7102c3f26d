import type { JsonValue, Unsubscribe } from "@weir/base";
import type { Connection } from "../store/schema.ts";

/** Messages between consoles, and within this one: "look again". */
export interface AccessBus {
  /** Sends a message to all who listen to a topic, when the transaction is committed if the connection is one. */
  publish(connection: Connection, topic: string, message: JsonValue): Promise<void>;
  subscribe(topic: string, handler: (message: JsonValue) => void): Unsubscribe;
  /** Calls a handler each time when messages may have been missed. */
  onGap(handler: () => void): Unsubscribe;
}
