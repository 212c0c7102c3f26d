import type { IncomingMessage } from "node:http";
import type { JsonObject } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import { needsApproval } from "../store/approval-rules.ts";
import type { Connection } from "../store/schema.ts";
import { type Actor, mayAct, mayActSomewhere } from "./actor.ts";
import type { AuditedCall, Auditor } from "./auditor.ts";
import { networkOf } from "./client-address.ts";
import type { Endings } from "./endings.ts";
import type { AccessGate } from "./gate.ts";
import type { Limiter } from "./limits.ts";
import { isSecret } from "./secrets.ts";

/** What somebody wants of Flux's API, such as fluxctl. */
interface FluxCaller {
  readonly token: string;
  readonly needs: "read" | "write";
  /** None stands for the whole instance, "some" for any namespace. */
  readonly namespaces: readonly string[] | "some";
  /** The method and path. */
  readonly called: string;
  /** What it would do, if that's known. */
  readonly about?: JsonObject;
  readonly request: IncomingMessage;
}

interface FluxRefusal {
  readonly status: 403 | 429 | 503;
  readonly message: string;
  readonly help: string;
}

interface FluxGrant {
  readonly instanceId: string;
  readonly ended?: (outcome: "done" | "failed") => Promise<void>;
  readonly withdrawn?: (signal: AbortSignal) => Promise<void>;
}

type Answer = FluxGrant | FluxRefusal;

/** What somebody wants to write, as it's recorded. */
type Call = AuditedCall & { readonly instanceId: string };

/** What the authorizer needs. */
export interface FluxAuthorizerOptions {
  readonly connection: Connection;
  readonly gate: AccessGate;
  readonly limiter: Limiter;
  readonly auditor: Auditor;
  readonly endings: Endings;
  /** Where people reach the console. */
  readonly publicUrl: URL;
}

/**
 * Says what API tokens permit at Flux's API. That has no place for the name of an instance, so a token must be for one.
 * The token of a daemon permits nothing here: it lies in the cluster, says nothing of who uses it, and would get around
 * roles and approvals.
 */
export class FluxAuthorizer {
  readonly #options: FluxAuthorizerOptions;

  constructor(options: FluxAuthorizerOptions) {
    this.#options = options;
  }

  /**
   * Rejects if it can't be found out. What is written is recorded, or isn't permitted; and what isn't permitted is
   * recorded, too.
   */
  async authorize(caller: FluxCaller): Promise<Answer | 401> {
    const { gate, limiter } = this.#options;
    const found = await gate.tokenOf(caller.token);
    const { address } = gate.origin(caller.request);
    try {
      limiter.countRequest(found?.actor.credentialId ?? networkOf(address));
    } catch (error) {
      return tooMany(error);
    }
    if (found === undefined) {
      return isSecret("instance", caller.token) ? tokenOfDaemon : 401;
    }
    const { actor, token } = found;
    if (token.instanceId === null) {
      return tokenOfAll;
    }
    const call = callOf(caller, { actor, address, instanceId: token.instanceId });
    const refusal = await this.#refusalOf(caller, actor, token.instanceId);
    if (caller.needs === "read") {
      const withdrawn = (signal: AbortSignal) => this.#options.endings.ended(actor, signal);
      return refusal ?? { instanceId: token.instanceId, withdrawn };
    }
    return this.#audited(caller, call, refusal);
  }

  async #audited({ namespaces }: FluxCaller, call: Call, refusal: FluxRefusal | undefined): Promise<Answer> {
    const { auditor } = this.#options;
    const { instanceId } = call;
    if (refusal !== undefined) {
      const detail = { ...call.detail, problem: refusal.message };
      await auditor.record({ ...call, detail, outcome: "refused" });
      return refusal;
    }
    if (namespaces === "some") {
      // It's asked about again once it's known what it is about; it ends with this if it never is.
      return { instanceId, ended: (outcome) => auditor.record({ ...call, outcome }) };
    }
    try {
      const begun = await auditor.begin(call);
      return { instanceId, ended: (outcome) => begun.end({ ...call, outcome }) };
    } catch (error) {
      return unrecordable(error);
    }
  }

  async #refusalOf(
    { needs, namespaces }: FluxCaller,
    actor: Actor,
    instanceId: string,
  ): Promise<FluxRefusal | undefined> {
    const role = needs === "read" ? "viewer" : "operator";
    if (!isPermitted(actor, role, { instanceId, namespaces })) {
      return tooLittle;
    }
    const { connection, publicUrl } = this.#options;
    if (needs === "write" && namespaces !== "some") {
      const isNeeded = await needsApproval(connection, { instanceId, namespaces });
      return isNeeded ? approvalNeeded(new URL(`/instances/${instanceId}`, publicUrl)) : undefined;
    }
    return undefined;
  }
}

function isPermitted(
  actor: Actor,
  role: "viewer" | "operator",
  { instanceId, namespaces }: { readonly instanceId: string } & Pick<FluxCaller, "namespaces">,
): boolean {
  if (namespaces === "some") {
    return mayActSomewhere(actor, role, { instanceId });
  }
  return namespaces.length === 0
    ? mayAct(actor, role, { instanceId })
    : namespaces.every((namespace) => mayAct(actor, role, { instanceId, namespace }));
}

function callOf(
  { called, namespaces, about = {} }: FluxCaller,
  known: { readonly actor: Actor; readonly address: string; readonly instanceId: string },
): Call {
  const names = namespaces === "some" ? [] : namespaces;
  const [namespace] = names;
  return {
    ...known,
    action: "fluxApi",
    namespace: names.length === 1 && namespace !== undefined ? namespace : null,
    subject: called,
    detail: { ...about, ...(names.length > 1 ? { namespaces: [...names] } : {}) },
  };
}

const tooLittle: FluxRefusal = {
  status: 403,
  message: "the token does not permit this",
  help: "The token does not permit this\n\nIt needs the scope and the namespace, and whoever made it needs the role. Make another token in the\nconsole, under your account, or ask an administrator of the console for the role.\n",
};

const tokenOfAll: FluxRefusal = {
  status: 403,
  message: "the token is for all instances",
  help: "The token is for all instances\n\nfluxctl works with one instance. Make a token for that instance in the console, under your account.\n",
};

const tokenOfDaemon: FluxRefusal = {
  status: 403,
  message: "the token of a daemon permits nothing but to connect it",
  help: "The token of a daemon permits nothing but to connect it\n\nMake a token of your own for the instance in the console, under your account.\n",
};

function approvalNeeded(where: URL): FluxRefusal {
  return {
    status: 403,
    message: "this change needs the approval of a second person",
    help: `This change needs the approval of a second person\n\nRequest it in the console, where somebody else can approve it:\n\n    ${where.href}\n`,
  };
}

function unrecordable(error: unknown): FluxRefusal {
  if (error instanceof Problem && error.kind === "unavailable") {
    return { status: 503, message: error.message, help: `${error.message}\n\n${error.advice}\n` };
  }
  throw error;
}

function tooMany(error: unknown): FluxRefusal {
  if (error instanceof Problem && error.kind === "too-many") {
    const help = `There were too many requests\n\n${error.advice}\n`;
    return { status: 429, message: "there were too many requests", help };
  }
  throw error;
}
