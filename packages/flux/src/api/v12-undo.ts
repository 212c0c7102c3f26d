import { textAt } from "@weir/base";
import { parseResourceId } from "../resource/id.ts";
import type { Cause } from "../update/spec.ts";
import { type Codec, flag, list, maybe, record, resource, resources, text, texts, word } from "./codec.ts";
import type { UndoAnswer, UndoneFile, UndoneResource, UndoPlan, UndoRequest } from "./undo.ts";

/** A resource that a caller names, or "". */
const resourceOrNone: Codec<UndoRequest["resource"]> = {
  missing: "",
  encode: (id) => id,
  decode: (value, path) => {
    const id = textAt(value, path);
    return id === "" ? "" : parseResourceId(id);
  },
};

/** As an object with the fields of an UndoRequest. Decoding throws JsonShapeError or InvalidResourceIdError. */
export const { encode: encodeUndoRequest, decode: decodeUndoRequest } = record<UndoRequest>({
  cause: record<Cause>({ message: text, user: text }, { message: "Message", user: "User" }),
  commit: text,
  resource: resourceOrNone,
  allowDelete: flag,
  dryRun: flag,
});

/** As an object with the fields of an UndoAnswer; "plan" is null if there is none. Decoding throws JsonShapeError. */
export const { encode: encodeUndoAnswer, decode: decodeUndoAnswer } = record<UndoAnswer>({
  job: text,
  plan: maybe(
    record<UndoPlan>({
      revision: text,
      head: text,
      author: text,
      message: text,
      resources: list(
        record<UndoneResource>({ id: resource, what: word(["created", "changed", "deleted"], "changed") }),
      ),
      locks: resources,
      files: list(record<UndoneFile>({ path: text, diff: text })),
      leftAlone: texts,
    }),
  ),
});
