import type { IncomingMessage, ServerResponse } from "node:http";
import express, { type Request, type Response } from "express";
import type { Actor } from "../access/actor.ts";
import type { Auditor } from "../access/auditor.ts";
import type { Check } from "../access/recorded.ts";
import { type OperationName, routes } from "../contract/routes.ts";
import { type Schemas, schemas } from "../contract/schemas.ts";
import type { AuditNote, Handlers, Origin } from "../operations/call.ts";
import { checkMayCall } from "../operations/may-call.ts";
import { Problem } from "../problem/problem.ts";
import { type AuditNotes, audited, newNotes } from "./audited.ts";
import { checkForm } from "./check-form.ts";
import { sendAnswer } from "./send.ts";

/** Finds out who sends a request. */
export interface Gate {
  /**
   * The sender; undefined if the request has no credentials. Rejects with a Problem if they aren't valid, or if a
   * request that a browser sends by itself with its cookie would change something.
   */
  identify(request: IncomingMessage): Promise<Actor | undefined>;
  origin(request: IncomingMessage): Origin;
  /** Sets or, with undefined, removes the cookie of a session. */
  setSession(request: IncomingMessage, response: ServerResponse, secret: string | undefined): void;
}

/** A request for an operation. */
export interface Incoming {
  readonly name: OperationName;
  readonly request: Request;
  readonly response: Response;
  readonly signal: AbortSignal;
}

/** What stands between a request and its handler. */
export interface Guards {
  readonly gate: Gate;
  readonly auditor: Auditor;
}

/**
 * Answers a request: checks who sends it, whether they may, and its form; then has its handler called. What isn't only
 * read is recorded before that, and when it's over, before the answer is sent. Rejects with what went wrong.
 */
export async function answer(incoming: Incoming, handlers: Handlers, guards: Guards): Promise<void> {
  const { name, request, response } = incoming;
  const { address } = guards.gate.origin(request);
  const check = checkOf(incoming, handlers, guards.gate);
  const answered = isOnlyRead(name)
    ? await (await check(newNotes()))()
    : await audited({ name, path: pathOf(request), address }, guards.auditor, check);
  sendAnswer(response, answered);
}

/** A plan is asked for with a body, and changes nothing. */
function isOnlyRead(name: OperationName): boolean {
  return routes[name].method === "GET" || name === "plan";
}

/** Checks a request before its handler may be called. */
function checkOf(
  { name, request, response, signal }: Incoming,
  handlers: Handlers,
  gate: Gate,
): (notes: AuditNotes) => ReturnType<Check<unknown>> {
  const path = pathOf(request);
  return async (notes) => {
    const actor = await gate.identify(request);
    notes.actor = actor;
    checkMayCall(routes[name], actor, path);
    notes.isPermitted = true;
    const own: Schemas = schemas[name];
    const call = {
      actor,
      path,
      query: own.query && checkForm(own.query, readQuery(request), "query"),
      body: own.body && checkForm(own.body, await readJsonBody(request, response), "body"),
      origin: gate.origin(request),
      setSession: (secret: string | undefined) => gate.setSession(request, response, secret),
      audit: (note: AuditNote) => (notes.note = merged(notes.note, note)),
      signal,
    };
    if (routes[name].method === "PATCH") {
      call.audit({ detail: { changed: [...fieldsIn(call.body)] } });
    }
    const handler = handlers[name] as (call: unknown) => Promise<unknown>;
    return () => handler(call);
  };
}

/** What a change is of, by name: its values may be secret, so only handlers add those. */
function fieldsIn(body: unknown): readonly string[] {
  return typeof body === "object" && body !== null
    ? Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    : [];
}

function merged(before: AuditNote, note: AuditNote): AuditNote {
  return { ...before, ...note, detail: { ...before.detail, ...note.detail } };
}

/** The parameters in the path of the operation. */
function pathOf({ params }: Request): Readonly<Record<string, string>> {
  return { ...(params as Record<string, string>) };
}

/** A parameter that's there several times is a list. */
function readQuery({ url }: Request): Readonly<Record<string, string | readonly string[]>> {
  const { searchParams } = new URL(`http://console${url}`);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((key) => {
      const values = searchParams.getAll(key);
      return [key, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** The largest body that a request may have, in bytes. */
const mostBytes = 1024 * 1024;

const readText = express.text({ type: () => true, limit: mostBytes, inflate: false });

/** Reads a body of JSON. Rejects with a Problem if it's too large, isn't declared as JSON, or isn't JSON. */
async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw new Problem("invalid", "The body isn't declared as JSON.", {
      advice: "Send it with `Content-Type: application/json`.",
    });
  }
  try {
    await new Promise<void>((resolve, reject) => {
      readText(request, response, (error?: Error) => (error === undefined ? resolve() : reject(error)));
    });
    return JSON.parse(request.body as string) as unknown;
  } catch (cause) {
    if (cause instanceof Error && "type" in cause && cause.type === "entity.too.large") {
      throw new Problem("invalid", `The body has more than ${mostBytes} bytes.`, {
        advice: "Send less at a time.",
      });
    }
    throw new Problem("invalid", "The body isn't JSON.", { advice: "Send a JSON document.", cause });
  }
}
