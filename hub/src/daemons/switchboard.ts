import { randomUUID } from "node:crypto";
import {
  type Clock,
  Deadline,
  type JsonValue,
  type Logger,
  messageOf,
  orAborted,
  toError,
  type Unsubscribe,
} from "@weir/base";
import {
  type Call,
  type CallLimits,
  FatalError,
  UnavailableError,
  unavailableError,
} from "@weir/upstream-server";
import type { Bus } from "../bus/bus.ts";
import type { Holder } from "../store/leases.ts";
import type { Link } from "./link.ts";
import { topics } from "./ports.ts";
import { type ConsoleMessage, decodeMessage, encodeMessage, type Outcome } from "./remote-call.ts";

/** What of a link it takes to call its daemon. */
interface CallableLink {
  readonly lease: Pick<Link["lease"], "leaseId">;
  readonly daemon: Pick<Link["daemon"], "call">;
}

/** What a switchboard needs. */
export interface SwitchboardContext {
  readonly consoleId: string;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /** The connection of an instance to this console. */
  readonly linkOf: (instanceId: string) => CallableLink | undefined;
  /** Closes a connection that was replaced. */
  readonly close: (leaseId: string) => void;
}

/** After how long a console says that it works on a call, in milliseconds: most are answered before. */
const soon = 500;

/** How long a console has to answer or to say that it works on it, in milliseconds; after that, it counts as gone. */
const patience = 5_000;

/** How much longer than its holder a console waits for the answer to a call, in milliseconds. */
const grace = 5_000;

/** The most calls of other consoles at a time; fewer than a daemon accepts, times a few busy ones. */
const mostCalls = 1_000;

/** The console that a daemon was connected to is gone; the daemon connects to another one by itself. */
export class SilentConsoleError extends UnavailableError {}

/** A call that was passed on. */
interface Passed {
  readonly answer: (outcome: Outcome) => void;
  /** Says that it has arrived. */
  readonly arrived: () => void;
}

/** Passes on calls to the console that a daemon is connected to, whichever console they arrive at. */
export class Switchboard implements Disposable {
  readonly #context: SwitchboardContext;
  readonly #waiting = new Map<string, Passed>();
  readonly #atWork = new Map<string, AbortController>();
  readonly #unsubscribe: Unsubscribe;

  constructor(context: SwitchboardContext) {
    this.#context = context;
    this.#unsubscribe = context.bus.subscribe(topics.console(context.consoleId), (message) =>
      this.#hear(message),
    );
  }

  /**
   * A way to call the daemon whose connection somebody holds. Calls reject as those of a daemon that's connected here;
   * with a FluxError (unavailable) if it's not connected to that console any more, or with a SilentConsoleError soon if
   * that console is gone.
   */
  callOver(instanceId: string, holder: Holder): Call {
    return (method, argument, limits, signal) =>
      holder.consoleId === this.#context.consoleId
        ? this.#callHere({ instanceId, leaseId: holder.leaseId, method, argument }, limits, signal)
        : this.#callThere(
            holder,
            { instanceId, leaseId: holder.leaseId, method, argument },
            { limits, signal },
          );
  }

  /** Asks another console to close a connection that isn't the newest any more. */
  async closeElsewhere({ consoleId, leaseId }: Holder): Promise<void> {
    await this.#send(consoleId, { kind: "close", leaseId });
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#atWork.forEach((work) => work.abort(new Error("the console stops")));
    this.#waiting.forEach(({ answer }) => answer({ error: new FatalError("the console stops") }));
  }

  async #callHere(
    { instanceId, leaseId, method, argument }: DaemonCall,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<JsonValue> {
    const link = this.#context.linkOf(instanceId);
    if (link?.lease.leaseId !== leaseId) {
      throw unavailableError(new Error("the daemon is not connected"));
    }
    return link.daemon.call(method, argument, limits, signal);
  }

  async #callThere(
    { consoleId }: Holder,
    call: DaemonCall,
    { limits, signal }: { readonly limits: CallLimits; readonly signal: AbortSignal },
  ): Promise<JsonValue> {
    signal.throwIfAborted();
    const id = randomUUID();
    const answer = Promise.withResolvers<Outcome>();
    const arrival = Promise.withResolvers<undefined>();
    this.#waiting.set(id, { answer: answer.resolve, arrived: () => arrival.resolve(undefined) });
    using deadline = new Deadline(this.#context.clock, limits.timeout + grace, signal);
    try {
      const { consoleId: from } = this.#context;
      await this.#send(consoleId, { kind: "call", id, from, ...call, timeout: limits.timeout });
      await this.#signOf(Promise.race([arrival.promise, answer.promise]), deadline.signal);
      const outcome = await orAborted(answer.promise, deadline.signal);
      if ("error" in outcome) {
        throw outcome.error;
      }
      return outcome.result;
    } catch (error) {
      if (deadline.signal.aborted || error instanceof SilentConsoleError) {
        void this.#send(consoleId, { kind: "cancel", id }).catch(() => undefined);
      }
      throw deadline.expired
        ? unavailableError(
            new Error("the console that the daemon is connected to did not answer", { cause: error }),
          )
        : error;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Rejects with SilentConsoleError if there's no sign of a call that was passed on. */
  async #signOf(sign: Promise<unknown>, signal: AbortSignal): Promise<void> {
    using deadline = new Deadline(this.#context.clock, patience, signal);
    try {
      await orAborted(sign, deadline.signal);
    } catch (error) {
      throw deadline.expired ? silentConsole(error) : error;
    }
  }

  #hear(value: JsonValue): void {
    const message = this.#read(value);
    switch (message?.kind) {
      case "call":
        void this.#serve(message);
        break;
      case "cancel":
        this.#atWork.get(message.id)?.abort(new Error("nobody waits for the answer"));
        break;
      case "answer":
        this.#waiting.get(message.id)?.answer(message.outcome);
        break;
      case "working":
        this.#waiting.get(message.id)?.arrived();
        break;
      case "close":
        this.#context.close(message.leaseId);
        break;
      case undefined:
    }
  }

  #read(value: JsonValue): ConsoleMessage | undefined {
    try {
      return decodeMessage(value);
    } catch (error) {
      this.#context.log.log({
        component: "hub",
        warning: "unreadable message of a console",
        err: toError(error),
      });
      return undefined;
    }
  }

  /** Never rejects: a console that can't be told waits until its time is over. */
  async #serve(call: Extract<ConsoleMessage, { kind: "call" }>): Promise<void> {
    const answered = new AbortController();
    const told = this.#tellArrival(call, answered.signal);
    const outcome = await this.#outcomeOf(call);
    answered.abort();
    await told;
    await this.#answer(call.from, { kind: "answer", id: call.id, outcome });
  }

  async #tellArrival(
    { from, id }: Extract<ConsoleMessage, { kind: "call" }>,
    answered: AbortSignal,
  ): Promise<void> {
    const isDue = await this.#context.clock.sleep(soon, answered).then(
      () => true,
      () => false,
    );
    if (isDue) {
      await this.#answer(from, { kind: "working", id });
    }
  }

  async #answer(consoleId: string, message: ConsoleMessage): Promise<void> {
    await this.#send(consoleId, message).catch((error: unknown) =>
      this.#context.log.log({ component: "hub", warning: "cannot answer a console", err: messageOf(error) }),
    );
  }

  async #outcomeOf(call: Extract<ConsoleMessage, { kind: "call" }>): Promise<Outcome> {
    if (this.#atWork.size >= mostCalls) {
      return { error: unavailableError(new Error("the console has too many calls to pass on")) };
    }
    const work = new AbortController();
    this.#atWork.set(call.id, work);
    try {
      return { result: await this.#callHere(call, { timeout: call.timeout }, work.signal) };
    } catch (error) {
      return { error: toError(error) };
    } finally {
      this.#atWork.delete(call.id);
    }
  }

  #send(consoleId: string, message: ConsoleMessage): Promise<void> {
    return this.#context.bus.publish(topics.console(consoleId), encodeMessage(message));
  }
}

function silentConsole(cause: unknown): SilentConsoleError {
  const reason = new Error("the console that the daemon was connected to does not answer", { cause });
  const { kind, message, advice } = unavailableError(reason);
  return new SilentConsoleError(kind, message, advice, { cause: reason });
}

/** One call of a daemon, over one of its connections. */
interface DaemonCall {
  readonly instanceId: string;
  readonly leaseId: string;
  readonly method: string;
  readonly argument: JsonValue;
}
