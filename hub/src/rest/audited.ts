import type { Actor } from "../access/actor.ts";
import type { AuditedCall, Auditor, AuditRecord } from "../access/auditor.ts";
import { type Check, recorded } from "../access/recorded.ts";
import type { OperationName } from "../contract/routes.ts";
import type { AuditNote } from "../operations/call.ts";
import { isRefusal, Problem } from "../problem/problem.ts";

/** What is known of a call before anything is checked. */
interface KnownCall {
  readonly name: OperationName;
  readonly path: Readonly<Record<string, string>>;
  readonly address: string;
}

/** What is found out about a call while it's handled. */
export interface AuditNotes {
  /** Undefined as long as it isn't known, or if nobody is logged in. */
  actor: Actor | undefined;
  /** True from the moment when it's clear that the sender may call the operation. */
  isPermitted: boolean;
  note: AuditNote;
}

/** Checks a call and does it, and has it recorded with what is noted meanwhile. Rejects like `recorded`. */
export async function audited<T>(
  known: KnownCall,
  auditor: Auditor,
  check: (notes: AuditNotes) => ReturnType<Check<T>>,
): Promise<T> {
  const notes = newNotes();
  const call = (): AuditedCall => callOf(known, notes);
  const failed = (error: unknown): AuditRecord =>
    withProblem({ ...call(), outcome: outcomeOf(error, notes) }, error);
  return recorded(auditor, { call, failed }, () => check(notes));
}

/** What is known of a call at first. */
export function newNotes(): AuditNotes {
  return { actor: undefined, isPermitted: false, note: {} };
}

/** Whatever is found wrong before it's clear that the sender may call the operation is a refusal. */
function outcomeOf(error: unknown, { isPermitted }: AuditNotes): "refused" | "failed" {
  return error instanceof Problem && (!isPermitted || isRefusal(error)) ? "refused" : "failed";
}

function callOf({ name, path, address }: KnownCall, { actor, note }: AuditNotes): AuditedCall {
  const { instance, ...ids } = path;
  return {
    actor: note.actor ?? actor,
    action: name,
    instanceId: note.instanceId ?? instance ?? null,
    namespace: note.namespace ?? null,
    subject: note.subject ?? Object.values(ids).join(" "),
    detail: note.detail ?? {},
    address,
  };
}

/** Of an error that isn't a problem, only the log of the program says more. A wrong request may have anything in it. */
function withProblem(record: AuditRecord, error: unknown): AuditRecord {
  const problem = error instanceof Problem ? error : undefined;
  const text = problem?.kind === "invalid" ? "The request is wrong." : problem?.message;
  return { ...record, detail: { ...record.detail, problem: text ?? "An internal error." } };
}
