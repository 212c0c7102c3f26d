/**
 * Asks the server whether a write would change anything, where the manifest and the live object alone don't tell: a
 * dry run goes through defaults, conversion, and admission like the write itself. Nothing is stored.
 */
import { createHash } from "node:crypto";
import type { JsonObject } from "@weir/base";
import { gvkOf, type KubeObject } from "@weir/kube";
import type { ResourceCache } from "../cache/resource-cache.ts";
import { lastAppliedText } from "../diff/last-applied.ts";
import type { Verdict } from "../diff/normalize.ts";
import { isAppliedBy, managedFieldsOf } from "../ignore/owned-paths.ts";
import { applyObject } from "../operations/apply.ts";
import type { Deed, OperationContext } from "../operations/context.ts";
import { migratedManagedFields } from "../operations/field-migration.ts";
import type { KnownSubject, Subject } from "../operations/races.ts";
import { readWholeObject } from "../operations/read.ts";
import { replaceObject } from "../operations/replace.ts";
import { applyServerSide } from "../operations/server-side-apply.ts";
import { type ServerSideSettings, serverSideSettings } from "../operations/server-side-settings.ts";
import type { ServerSideDiff } from "../plan/compare-options.ts";
import { isSameButStatus, isSameObject } from "../plan/target-memory.ts";
import type { TargetOptions } from "../plan/target-options.ts";

/** What is to be written, and to what. */
export interface DiffQuestion {
  readonly target: KubeObject;
  /** The live object as cached; it may be in another API version than the target. */
  readonly live: KubeObject;
  readonly options: TargetOptions;
  readonly serverSide: ServerSideSettings | undefined;
  readonly when: ServerSideDiff;
  /** True if the comparison needs the live object's managedFields, which the cache doesn't keep. */
  readonly needsOwners: boolean;
  /** Compares the target with the live object in the target's version, without the server. */
  readonly verdictOn: (live: KubeObject) => Promise<Verdict>;
  /** Both states of the live object without what is ignored. */
  readonly cut: (before: KubeObject, after: KubeObject) => Promise<readonly [KubeObject, KubeObject]>;
}

/** The answer for one version of a live object. */
interface Answer {
  readonly question: string;
  readonly changesNothing: boolean;
}

/** The answers of so many objects are kept. */
const mostAnswers = 20_000;

/** Asks the server about differences, once for each version of a live object and of its manifest. */
export class ServerDiff {
  readonly #context: OperationContext;
  readonly #cache: Pick<ResourceCache, "resourceOf">;
  /** By the uid of the live object. */
  readonly #answers = new Map<string, Answer>();

  constructor(context: OperationContext, cache: Pick<ResourceCache, "resourceOf">) {
    this.#context = context;
    this.#cache = cache;
  }

  /**
   * True if the write would leave the live object as it is. False if it would change it, if somebody has changed it since
   * it was cached, or if the server refuses: the write itself finds out. Rejects when aborted.
   */
  async changesNothing(question: DiffQuestion, signal: AbortSignal): Promise<boolean> {
    const { uid = "" } = question.live.metadata;
    const text = textOf(question);
    const known = this.#answers.get(uid);
    if (known?.question === text) {
      return known.changesNothing;
    }
    try {
      const changesNothing = await this.#ask(question, signal);
      this.#keep(uid, { question: text, changesNothing });
      return changesNothing;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  #keep(uid: string, answer: Answer): void {
    this.#answers.delete(uid);
    this.#answers.set(uid, answer);
    const [oldest] = this.#answers.size > mostAnswers ? this.#answers.keys() : [];
    if (oldest !== undefined) {
      this.#answers.delete(oldest);
    }
  }

  async #ask(question: DiffQuestion, signal: AbortSignal): Promise<boolean> {
    const { target, live, when, needsOwners, verdictOn } = question;
    const gvk = gvkOf(target);
    const resource = await this.#cache.resourceOf(gvk, gvk.version);
    if (resource === undefined) {
      return false;
    }
    const subject = { resource, target };
    if (question.options.method === "server-side") {
      return this.#asOwner(question, subject, signal);
    }
    const isEnough = live.apiVersion === target.apiVersion && !needsOwners;
    const there = isEnough ? live : await readWholeObject(this.#context, resource, target, signal);
    if (there === undefined || !isSameVersion(there, live)) {
      return false;
    }
    const verdict = when === "always" ? "doubtful" : await verdictOn(there);
    const isAsked = verdict === "doubtful" && when !== "never";
    return (
      verdict === "in-sync" ||
      (isAsked && this.#predictsNothing(question, { ...subject, live: there }, signal))
    );
  }

  /** What the field manager owns is compared too: the next write depends on it. */
  async #asOwner(question: DiffQuestion, subject: Subject, signal: AbortSignal): Promise<boolean> {
    const live = await readWholeObject(this.#context, subject.resource, subject.target, signal);
    const settings = serverSideSettings(question.serverSide);
    const migrates = question.options.clientSideApplyMigration;
    if (live === undefined || !isSameVersion(live, question.live)) {
      return false;
    }
    if (migrates && isToBeHandedOver(live, settings)) {
      return false;
    }
    return this.#predictsNothing(question, { ...subject, live }, signal);
  }

  async #predictsNothing(
    question: DiffQuestion,
    { live, ...subject }: Subject & { readonly live: KubeObject },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { cut, serverSide } = question;
    const { method } = question.options;
    const known = { ...subject, known: { live, fresh: false } };
    const { change, live: after } = await this.#predict(question, known, signal);
    if (after === undefined || !isSameVersion(after, live)) {
      return false;
    }
    if (change === "unchanged") {
      return true;
    }
    if (method === "server-side" && !isOwnedAlike(live, after, serverSideSettings(serverSide).fieldManager)) {
      return false;
    }
    const [one, other] = await cut(live, after);
    return isSameButStatus(withoutGeneration(one), withoutGeneration(other));
  }

  #predict(
    { options: said, serverSide, when }: DiffQuestion,
    subject: KnownSubject,
    signal: AbortSignal,
  ): Promise<Deed> {
    const context = serverSide === undefined ? this.#context : { ...this.#context, serverSide };
    const options = { ...said, dryRun: true, signal };
    switch (said.method) {
      case "client-side":
        return applyObject(context, subject, options);
      case "server-side":
        return applyServerSide(context, subject, options);
      case "replace":
        // Whether the live object has what the manifest says. What else it has only counts if the caller wants that:
        // a replacement without it is refused for some kinds, such as a Job with its selector.
        return when === "always"
          ? replaceObject(context, subject, options)
          : applyObject(context, subject, options);
    }
  }
}

/**
 * False if the object has changed since it was cached: what the server says then isn't about the version in question,
 * which may come back. A dry run doesn't give a new version to what it would change.
 */
function isSameVersion(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.resourceVersion === other.metadata.resourceVersion;
}

/** Some kinds count a write as a change although nothing differs, e.g. a NetworkPolicy that states an empty list. */
function withoutGeneration(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation: 0 } };
}

function isOwnedAlike(live: KubeObject, after: KubeObject, fieldManager: string): boolean {
  const [before, then] = [live, after].map((object) => appliedFieldsOf(object, fieldManager));
  return before !== undefined && then !== undefined && isSameObject(before, then);
}

function appliedFieldsOf(object: KubeObject, fieldManager: string): JsonObject | undefined {
  return managedFieldsOf(object).find((entry) => isAppliedBy(entry, fieldManager))?.fields;
}

/** Same as in server-side apply: only objects with the annotation were applied client-side. */
function isToBeHandedOver(live: KubeObject, settings: Required<ServerSideSettings>): boolean {
  return lastAppliedText(live) !== undefined && migratedManagedFields(live, settings) !== undefined;
}

/** Says which manifest is compared with which version of the live object. */
function textOf({ target, live, options, when, serverSide }: DiffQuestion): string {
  const parts = JSON.stringify([target, options, when, serverSide]);
  const hash = createHash("sha256").update(parts).digest("base64");
  return `${live.metadata.resourceVersion ?? ""} ${hash}`;
}
