import { JsonReader, JsonShapeError, type JsonValue, listAt, printGoTime, textAt } from "@weir/base";
import { type Codec, flag, integer, list, optional, record, text, word } from "./codec.ts";
import {
  type ResumeRequest,
  type Suspendable,
  type SuspendRequest,
  type Suspension,
  type SuspensionReport,
  suspendable,
} from "./suspension.ts";

const moment: Codec<Date> = {
  missing: printGoTime(new Date(0)),
  encode: printGoTime,
  decode: (value, path) => {
    const decoded = new Date(textAt(value, path));
    if (Number.isNaN(decoded.getTime())) {
      throw new JsonShapeError(path, "a time such as 2020-01-02T03:04:05Z", value);
    }
    return decoded;
  },
};

const suspension = record<Suspension>({
  what: word(suspendable),
  reason: text,
  user: text,
  since: moment,
  until: optional(moment),
});

/** "until" is left out if there's no end. What only a later version can suspend is left out when it's decoded. */
export const suspensionsCodec = {
  ...list(suspension),
  decode: (value: JsonValue, path = ""): readonly Suspension[] =>
    listAt(value, path, (each, at) => {
      const what = new JsonReader(each, at).text("what");
      return suspendable.some((known) => known === what) ? [suspension.decode(each, at)] : [];
    }).flat(),
};

/** The functions of that codec. Decoding throws JsonShapeError. */
export const { encode: encodeSuspensions, decode: decodeSuspensions } = suspensionsCodec;

const allSuspendable = list(word(suspendable));
/** At least one. */
const atLeastOne: Codec<readonly Suspendable[]> = {
  ...allSuspendable,
  decode: (value, path) => {
    const what = allSuspendable.decode(value, path);
    if (what.length === 0) {
      throw new JsonShapeError("what", `a list of ${suspendable.join(" and ")}`, []);
    }
    return what;
  },
};

/** As an object with the fields of a SuspendRequest. Decoding throws JsonShapeError. */
export const { encode: encodeSuspend, decode: decodeSuspend } = record<SuspendRequest>({
  what: atLeastOne,
  reason: text,
  user: text,
  until: optional(moment),
  seconds: optional(integer),
});

/** As an object with the fields of a ResumeRequest. Decoding throws JsonShapeError. */
export const { encode: encodeResume, decode: decodeResume } = record<ResumeRequest>({
  what: atLeastOne,
  user: text,
});

/** As an object with the fields of a SuspensionReport. Decoding throws JsonShapeError. */
export const { encode: encodeSuspensionReport, decode: decodeSuspensionReport } = record<SuspensionReport>({
  suspensions: suspensionsCodec,
  ended: suspensionsCodec,
  forgotten: text,
  stillSyncing: flag,
});
