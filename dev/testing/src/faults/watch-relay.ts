import type { ClientSide } from "./client-side.ts";
import { eitherOf } from "./either-of.ts";
import type { WatchEnd, WatchFault } from "./fault.ts";
import { errorLine } from "./refusals.ts";

/** How the events of a watch are passed on. */
export interface WatchRelayOptions {
  readonly client: ClientSide;
  readonly fault: WatchFault;
  /** Aborted when the faults are over. */
  readonly healed: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
  /** A line as the client gets it. */
  readonly edit: (line: string) => string;
  /** Called for each line that the client got. */
  readonly onSent: (line: string) => void;
  readonly onEnd: (how: WatchEnd) => void;
  /** Whether a silent watch goes on when the faults are over; otherwise, it breaks off. */
  readonly goesOn: () => boolean;
}

/** Passes the lines of a watch on, until its end. */
export async function relayWatch(body: AsyncIterable<Buffer>, options: WatchRelayOptions): Promise<void> {
  await new WatchRelay(options).run(body);
}

class WatchRelay {
  readonly #options: WatchRelayOptions;
  #lines = 0;

  constructor(options: WatchRelayOptions) {
    this.#options = options;
  }

  async run(body: AsyncIterable<Buffer>): Promise<void> {
    const { client, fault, wait, edit, onSent } = this.#options;
    if (await this.#isOver()) {
      return;
    }
    for await (const line of linesOf(body)) {
      await wait(fault.holdMs(this.#lines));
      const text = edit(line);
      const how = this.#endDue();
      if (how !== undefined && isWithinLine(how)) {
        client.write(text.slice(0, Math.ceil(text.length / 2)));
        this.#end(how);
        return;
      }
      client.write(text);
      onSent(text);
      this.#lines += 1;
      if (await this.#isOver()) {
        return;
      }
    }
    client.end();
  }

  /** Between two lines: true if the watch has ended. */
  async #isOver(): Promise<boolean> {
    const { client, healed, onEnd, goesOn } = this.#options;
    const how = this.#endDue();
    if (how === undefined || isWithinLine(how)) {
      return false;
    }
    if (how !== "silent") {
      this.#end(how);
      return true;
    }
    onEnd(how);
    await eitherOf(healed, client.over);
    if (!client.over.aborted && goesOn()) {
      return false;
    }
    client.breakOff();
    return true;
  }

  #endDue(): WatchEnd | undefined {
    const { fault, healed } = this.#options;
    return fault.end?.afterLines === this.#lines && !healed.aborted ? fault.end.how : undefined;
  }

  #end(how: WatchEnd): void {
    const { client, onEnd } = this.#options;
    onEnd(how);
    if (how === "expired" || how === "failed") {
      client.write(errorLine(how));
    }
    if (how === "broken" || how === "half line, broken") {
      client.breakOff();
    } else {
      client.end();
    }
  }
}

function isWithinLine(how: WatchEnd): boolean {
  return how === "half line, broken" || how === "half line, ended";
}

/** The lines in the chunks of a body, each with its end. */
async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  let pending = Buffer.alloc(0);
  for await (const chunk of body) {
    pending = Buffer.concat([pending, chunk]);
    for (let end = pending.indexOf("\n"); end >= 0; end = pending.indexOf("\n")) {
      yield pending.subarray(0, end + 1).toString();
      pending = pending.subarray(end + 1);
    }
  }
}
