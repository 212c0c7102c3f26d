import type { ApiCall } from "./api-call.ts";
import { Dice } from "./dice.ts";
import { calm, type Fault, type WatchEnd, type WatchFault } from "./fault.ts";
import type { FaultPlan } from "./fault-plan.ts";

/**
 * The faults of a seed. What happens to a call depends on the seed, on the kind of the call, and on how many calls of
 * that kind came before: a run with the same seed has the same faults, as far as the client asks the same again.
 */
export function seededFaults(seed: number): FaultPlan {
  return new SeededFaults(new Dice(`faults ${seed}`));
}

const hourMs = 3_600_000;

/** A fault that hits every call of a kind for a while. */
interface Storm {
  readonly from: number;
  readonly to: number;
  readonly fault: Fault;
}

class SeededFaults implements FaultPlan {
  readonly protocol: FaultPlan["protocol"];
  readonly skewMs: number;
  readonly pageSize: number | undefined;
  readonly #dice: Dice;
  /** How many calls are hit, from 0 to 1. */
  readonly #intensity: number;
  readonly #storms = new Map<string, Storm | undefined>();

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#intensity = dice.pick([0.05, 0.15, 0.3]);
    this.protocol = dice.pick(["h2", "h2", "http/1.1"]);
    this.skewMs = dice.pick([0, 0, hourMs, -hourMs]);
    this.pageSize = dice.pick([undefined, 1, 2, 3]);
  }

  faultOf(call: ApiCall, number: number): Fault | undefined {
    const storm = this.#stormOf(call);
    if (storm !== undefined && storm.from <= number && number < storm.to) {
      return storm.fault;
    }
    const dice = this.#dice.of(call.kind, number);
    return dice.chance(this.#intensity) ? faultFor(call, dice) : undefined;
  }

  watchFaultOf(call: ApiCall, number: number): WatchFault {
    const dice = this.#dice.of(call.kind, number, "events");
    const ends = dice.chance(this.#intensity * 2);
    const isHeld = dice.chance(this.#intensity * 2);
    return {
      repeats: dice.chance(0.5) ? dice.between(1, 5) : 0,
      isHeld,
      holdMs: isHeld ? (line) => Math.max(0, dice.of(line).between(-4_000, 4_000)) : calm.holdMs,
      end: ends ? { afterLines: dice.between(0, 5), how: dice.pick(watchEnds) } : undefined,
    };
  }

  goesOn(call: ApiCall, number: number): boolean {
    return this.#dice.of(call.kind, number, "afterwards").chance(0.5);
  }

  #stormOf(call: ApiCall): Storm | undefined {
    if (!this.#storms.has(call.kind)) {
      const dice = this.#dice.of(call.kind, "storm");
      this.#storms.set(call.kind, dice.chance(this.#intensity / 2) ? stormFor(call, dice) : undefined);
    }
    return this.#storms.get(call.kind);
  }
}

const watchEnds: readonly WatchEnd[] = [
  "half line, broken",
  "half line, ended",
  "broken",
  "ended",
  "expired",
  "failed",
  "silent",
];

/** What happens to the request for a watch; its events have faults of their own. */
const watchFaults = ["refused", "refused", "unsent", "silent", "late", "cut"] as const;
const callFaults = [...watchFaults, "refused", "lost", "lost", "late", "trickled"] as const;

function stormFor(call: ApiCall, dice: Dice): Storm {
  const from = dice.between(1, 5);
  const fault: Fault = canExpire(call) ? { kind: "expired" } : refusal(dice, false);
  return { from, to: from + dice.between(3, 8), fault };
}

function faultFor(call: ApiCall, dice: Dice): Fault {
  if (canExpire(call) && dice.chance(0.3)) {
    return { kind: "expired" };
  }
  const isWatch = call.verb === "watch";
  const kind = dice.pick(isWatch ? watchFaults : callFaults);
  switch (kind) {
    case "refused":
      return refusal(dice, !isWatch);
    case "lost":
      return { kind, share: dice.pick([0, 0, 0.5, 0.99]) };
    case "silent":
      return { kind, isHeard: !isWatch && dice.chance(0.5) };
    case "late":
      return { kind, ms: dice.between(200, 10_000) };
    case "trickled":
      return { kind, pieces: dice.between(2, 8), pauseMs: dice.between(100, 12_000) };
    case "unsent":
    case "cut":
      return { kind };
  }
}

/** 429 says that nothing was done. */
function refusal(dice: Dice, mayBeDone: boolean): Fault {
  const status = dice.pick([429, 429, 500, 503, 504] as const);
  return {
    kind: "refused",
    status,
    retryAfter: dice.pick(status === 429 ? [1, 1, 2, 60] : [undefined, undefined, 1]),
    isPlain: dice.chance(0.3),
    isDone: mayBeDone && (status === 500 || status === 504) && dice.chance(0.5),
  };
}

/** Only a request that names a version can name one that's too old. */
function canExpire({ continues, verb, resourceVersion }: ApiCall): boolean {
  return continues || (verb === "watch" && resourceVersion !== "");
}
