import type { Clock } from "@weir/base";
import type { ApiCall } from "./api-call.ts";
import { bodyOf, type ClientSide, type IncomingRequest } from "./client-side.ts";
import { skewDate, skewTimes } from "./clock-skew.ts";
import { eitherOf } from "./either-of.ts";
import { calm, type Fault } from "./fault.ts";
import type { FaultPlan } from "./fault-plan.ts";
import { expiry, type Refusal, refusalFor } from "./refusals.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "./upstream.ts";
import type { WatchHistory } from "./watch-history.ts";
import { relayWatch } from "./watch-relay.ts";

/** A request, and what it needs on its way. */
export interface ExchangeOptions {
  readonly call: ApiCall;
  /** How many requests of its kind there were, with this one. */
  readonly number: number;
  readonly plan: FaultPlan;
  readonly clock: Clock;
  readonly client: ClientSide;
  readonly upstream: Upstream;
  /** The last events of this watch. */
  readonly history: WatchHistory;
  /** Aborted when the faults are over. */
  readonly healed: AbortSignal;
  /** Aborted when everything is over. */
  readonly closed: AbortSignal;
  readonly onFault: (name: string) => void;
  /** Breaks all connections of the client. */
  readonly cut: () => void;
}

/** One request on its way to the server and back, with what happens to it. */
export class Exchange {
  readonly #options: ExchangeOptions;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  async run(request: IncomingRequest): Promise<void> {
    const { call, healed, number, onFault, plan } = this.#options;
    const fault = healed.aborted ? undefined : plan.faultOf(call, number);
    if (fault !== undefined) {
      onFault(nameOf(fault));
    }
    await this.#suffer(fault, {
      method: request.method ?? "",
      target: this.#target(request.url ?? ""),
      headers: passedOn(request),
      body: await bodyOf(request),
    });
  }

  async #suffer(fault: Fault | undefined, request: UpstreamRequest): Promise<void> {
    const { client, cut } = this.#options;
    switch (fault?.kind) {
      case undefined:
        return this.#pass(request);
      case "refused":
        if (fault.isDone) {
          await this.#whole(request);
        }
        send(client, refusalFor(fault));
        return;
      case "expired":
        send(client, expiry());
        return;
      case "unsent":
        client.breakOff();
        return;
      case "cut":
        cut();
        return;
      case "late":
        await this.#wait(fault.ms);
        return client.over.aborted ? undefined : this.#pass(request);
      case "lost":
        this.#lose(fault.share, await this.#whole(request));
        return;
      case "trickled":
        return this.#trickle(fault, await this.#whole(request));
      case "silent":
        return this.#keepSilent(fault.isHeard, request);
    }
  }

  #pass(request: UpstreamRequest): Promise<void> {
    return this.#options.call.verb === "watch" ? this.#watch(request) : this.#answer(request);
  }

  async #answer(request: UpstreamRequest): Promise<void> {
    send(this.#options.client, await this.#whole(request));
  }

  #lose(share: number, { status, headers, body }: Answer): void {
    const { client } = this.#options;
    if (share > 0) {
      client.head(status, headers);
      client.write(body.subarray(0, Math.floor(body.length * share)));
    }
    client.breakOff();
  }

  async #trickle({ pieces, pauseMs }: Trickle, { status, headers, body }: Answer): Promise<void> {
    const { client } = this.#options;
    client.head(status, headers);
    const size = Math.ceil(body.length / pieces);
    for (let at = 0; at < body.length; at += size) {
      client.write(body.subarray(at, at + size));
      await this.#wait(pauseMs);
    }
    client.end();
  }

  async #keepSilent(isHeard: boolean, request: UpstreamRequest): Promise<void> {
    const { call, client, healed, number, plan } = this.#options;
    const answer = isHeard ? await this.#whole(request) : undefined;
    await eitherOf(healed, client.over);
    if (client.over.aborted || !plan.goesOn(call, number)) {
      client.breakOff();
      return;
    }
    if (answer === undefined) {
      await this.#pass(request);
    } else {
      send(client, answer);
    }
  }

  async #watch(request: UpstreamRequest): Promise<void> {
    const { call, client, closed, healed, history, number, onFault, plan, upstream } = this.#options;
    const answer = await upstream.ask(request, AbortSignal.any([client.over, closed]));
    const fault = healed.aborted ? calm : plan.watchFaultOf(call, number);
    client.head(answer.status, this.#headersOf(answer));
    const repeated = history.before(call.resourceVersion, fault.repeats);
    if (repeated.length > 0) {
      onFault("repeated");
      repeated.forEach((line) => client.write(line));
    }
    if (fault.isHeld) {
      onFault("held");
    }
    await relayWatch(answer.body, {
      client,
      fault,
      healed,
      wait: (ms) => this.#wait(ms),
      edit: (line) => skewTimes(line, plan.skewMs),
      onSent: (line) => history.note(line),
      onEnd: (how) => onFault(`watch: ${how}`),
      goesOn: () => plan.goesOn(call, number),
    });
  }

  /** The complete answer; the server does what is asked even if the client leaves. */
  async #whole(request: UpstreamRequest): Promise<Answer> {
    const { closed, plan, upstream } = this.#options;
    const { answer, body } = await upstream.askWhole(request, closed);
    const text = plan.skewMs === 0 ? body : Buffer.from(skewTimes(body.toString(), plan.skewMs));
    return { status: answer.status, headers: this.#headersOf(answer), body: text };
  }

  #headersOf({ headers }: UpstreamAnswer): Answer["headers"] {
    const date = skewDate(headers.date ?? new Date().toUTCString(), this.#options.plan.skewMs);
    return { date, "content-type": headers["content-type"] ?? "application/json" };
  }

  /** Pages may be smaller than asked for; those of lists of a whole cluster stay, because they're long. */
  #target(target: string): string {
    const { call, plan } = this.#options;
    const isSmall = call.verb === "list" && target.includes("/namespaces/");
    return isSmall && plan.pageSize !== undefined
      ? target.replace(/\blimit=\d+/, `limit=${plan.pageSize}`)
      : target;
  }

  /** Resolves after that time, at the latest when the client has left or the faults are over. */
  async #wait(ms: number): Promise<void> {
    const { client, clock, closed, healed } = this.#options;
    if (ms > 0 && !healed.aborted) {
      const early = AbortSignal.any([client.over, healed, closed]);
      await clock.sleep(ms, early).catch(() => undefined);
    }
  }
}

/** The answer to a request, as the client is to get it. */
interface Answer extends Omit<Refusal, "body"> {
  readonly body: Buffer;
}

type Trickle = Extract<Fault, { readonly kind: "trickled" }>;

function nameOf(fault: Fault): string {
  switch (fault.kind) {
    case "refused":
      return `${fault.status}${fault.isDone ? ", done" : ""}`;
    case "silent":
      return fault.isHeard ? "silent, heard" : "silent";
    default:
      return fault.kind;
  }
}

function send(client: ClientSide, { status, headers, body }: Refusal | Answer): void {
  client.head(status, headers);
  client.write(body);
  client.end();
}

function passedOn({ headers }: IncomingRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (["accept", "content-type", "user-agent"] as const).flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
