import { type Clock, TimeoutError } from "@weir/base";
import { type KubeObject, keyOf, labelOf, type ResourceKey } from "@weir/kube";
import { foreignOwnerOf } from "../plan/foreign-owner.ts";
import type { Target } from "../plan/reconcile.ts";
import type { SyncRequest } from "../plan/sync-request.ts";
import type { Claims } from "./claims.ts";
import { instanceLabelOf, withInstanceLabel } from "./instance-label.ts";
import type { OutsideCalls } from "./outside-calls.ts";
import type { GeneratedManifests, ManifestGenerator, SyncUnit } from "./ports.ts";
import { Turns } from "./turns.ts";

/** The dependencies of UnitTargets. */
export interface UnitTargetsOptions {
  readonly generator: ManifestGenerator;
  readonly calls: OutsideCalls;
  readonly clock: Clock;
  /** How long generating the manifests of a unit may take. */
  readonly limitMs: number;
}

/** The targets of a unit, labeled as its objects. */
export interface GeneratedTargets {
  readonly targets: readonly Target[];
  readonly keys: readonly ResourceKey[];
  readonly revision: string;
}

/** Generates the targets of units: never twice at the same time for the same unit. */
export class UnitTargets {
  readonly #options: UnitTargetsOptions;
  /** Since when manifests are being generated, by unit; also those for which nobody waits any more. */
  readonly #begun = new Map<string, number>();
  readonly #turns = new Turns();

  constructor(options: UnitTargetsOptions) {
    this.#options = options;
  }

  /**
   * Rejects like the generator, with TimeoutError, and immediately if an earlier call for this unit has
   * exceeded its limit and still hasn't ended.
   */
  async of({ id, source }: SyncUnit, labelKey: string, signal: AbortSignal): Promise<GeneratedTargets> {
    const { calls, limitMs } = this.#options;
    const what = `generating the manifests of unit "${id}"`;
    this.#refuseBehindStuck(id, what);
    const { manifests, revision } = await calls.make({ what, limitMs, signal }, (ends) =>
      this.#turns.run(id, () => this.#generate(id, source, ends), ends),
    );
    const targets = manifests.map((manifest) => ({ object: withInstanceLabel(manifest, labelKey, id) }));
    return { targets, keys: targets.map(({ object }) => keyOf(object)), revision };
  }

  #refuseBehindStuck(id: string, what: string): void {
    const { clock, limitMs } = this.#options;
    const tookMs = clock.now() - (this.#begun.get(id) ?? Number.POSITIVE_INFINITY);
    if (tookMs >= limitMs) {
      throw new TimeoutError(`${what} has taken ${Math.round(tookMs / 1000)} s so far`);
    }
  }

  async #generate(id: string, source: unknown, signal: AbortSignal): Promise<GeneratedManifests> {
    const { generator, clock } = this.#options;
    this.#begun.set(id, clock.now());
    try {
      return await generator.generate(source, signal);
    } finally {
      this.#begun.delete(id);
    }
  }
}

/**
 * Who else manages a live object: another unit, by its label, unless that is known to have given the object up;
 * or another tool. Undefined for nobody.
 */
export function foreignTo(
  unit: string,
  labelKey: string,
  claims: Claims,
): NonNullable<SyncRequest["foreignOwner"]> {
  const own = instanceLabelOf(unit);
  return (live, target) => {
    const label = labelOf(live, labelKey) ?? own;
    const others = label === own ? [] : claims.units().filter((id) => instanceLabelOf(id) === label);
    const isGivenUp = others.length > 0 && !others.some((id) => claims.has(id, keyOf(live)));
    return label === own || isGivenUp ? foreignOwnerOf(live, target) : `unit ${others[0] ?? label}`;
  };
}

/** Whether a live object belongs to a unit, and to no other one. */
export function ownedBy(unit: string, labelKey: string, claims: Claims): (live: KubeObject) => boolean {
  const value = instanceLabelOf(unit);
  return (live) => labelOf(live, labelKey) === value && !claims.isOfOther(unit, keyOf(live));
}
