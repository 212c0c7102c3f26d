import type { UpdateSpec } from "../update/spec.ts";
import type { UndoRequest } from "./undo.ts";

/** What a job is to do. */
export type RequestedWork =
  | { readonly kind: "update"; readonly spec: UpdateSpec }
  | { readonly kind: "undo"; readonly request: UndoRequest };

/** A request for a job whose ID the caller chooses, so that it can ask about the job even if the answer gets lost. */
export interface JobRequest {
  /** A request with the ID of a job that is remembered requests nothing. */
  readonly id: string;
  readonly work: RequestedWork;
  /** For syncs and undos: the head of the branch, without which nothing is done; "" for any. */
  readonly revision: string;
}
