import { record, resources, text } from "./codec.ts";
import type { Confirmation, ConfirmationReport, PendingReport } from "./inspection.ts";

/** As an object with the fields of a PendingReport. Decoding throws JsonShapeError. */
export const pendingCodec = record<PendingReport>({
  revision: text,
  unconfirmed: resources,
  heldBack: resources,
  reason: text,
});

/** The functions of that codec. */
export const { encode: encodePending, decode: decodePending } = pendingCodec;

/** As an object with the fields of a Confirmation. Decoding throws JsonShapeError. */
export const { encode: encodeConfirmation, decode: decodeConfirmation } = record<Confirmation>({
  user: text,
  resources,
  pruneRevision: text,
});

/** As an object with the fields of a ConfirmationReport. Decoding throws JsonShapeError. */
export const { encode: encodeConfirmed, decode: decodeConfirmed } = record<ConfirmationReport>({
  revision: text,
  resources,
  forgotten: text,
});
