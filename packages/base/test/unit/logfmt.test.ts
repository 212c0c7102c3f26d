import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Clock } from "../../src/clock.ts";
import { createLogger, type LoggerOptions } from "../../src/logfmt.ts";
import type { LogFields, Logger } from "../../src/logger.ts";

const now = Date.parse("2026-11-21T07:05:09.120Z");
const clock: Clock = { now: () => now, sleep: () => Promise.resolve() };

function logged(log: (logger: Logger) => void, options: Partial<LoggerOptions> = {}): string {
  let text = "";
  const write = (line: string): void => void (text += line);
  log(createLogger({ format: "logfmt", write, clock, ...options }));
  return text;
}

function line(fields: LogFields, options?: Partial<LoggerOptions>): string {
  return logged((logger) => logger.log(fields), options);
}

describe("a logger in logfmt", () => {
  it("begins each line with the time and the caller, then keeps the order of keys", () => {
    const text = logged((logger) => {
      logger.log({ version: "1.0" });
      logger.with({ component: "sync-loop" }).log({ zeta: 1, alpha: true });
    });

    assert.equal(
      text,
      "ts=2026-11-21T07:05:09.12Z caller=main version=1.0\n" +
        "ts=2026-11-21T07:05:09.12Z caller=sync-loop component=sync-loop zeta=1 alpha=true\n",
    );
  });

  for (const [value, written] of [
    ["plain/text:with,signs", "plain/text:with,signs"],
    ["", ""],
    ["two words", '"two words"'],
    ["a=b", '"a=b"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["back\\slash", "back\\slash"],
    ["back\\ slash", '"back\\\\ slash"'],
    ["line\nbreak\ttab\rreturn", '"line\\nbreak\\ttab\\rreturn"'],
    ["\u0001\u007f", '"\\u0001\\u007f"'],
    ["\x1b]0;title\x07", '"\\u001b]0;title\\u0007"'],
    ["a\x9b2J\u202eb", '"a\\u009b2J\\u202eb"'],
    ["null", '"null"'],
    ["h\u00fclle", "h\u00fclle"],
    [null, "null"],
    [1.5, "1.5"],
    [false, "false"],
    [new Error("it broke"), '"it broke"'],
    [new Date(now), "2026-11-21T07:05:09.12Z"],
  ] as const) {
    it(`writes ${JSON.stringify(String(value))} as ${written}`, () => {
      assert.equal(line({ key: value }), `ts=2026-11-21T07:05:09.12Z caller=main key=${written}\n`);
    });
  }

  it("leaves out what is undefined, and tells of an absent error", () => {
    assert.equal(line({ a: undefined, err: null }), "ts=2026-11-21T07:05:09.12Z caller=main err=null\n");
  });

  it("takes from keys what would break the line", () => {
    assert.equal(line({ 'a =\n"b': 1 }), "ts=2026-11-21T07:05:09.12Z caller=main ab=1\n");
  });

  it("masks secrets in values, errors and keys, also in what was bound before", () => {
    const redact = (text: string): string => text.replaceAll("s3cret", "***");

    const text = logged(
      (logger) =>
        logger.with({ url: "https://me:s3cret@git" }).log({ err: new Error("no s3cret"), "k-s3cret": 1 }),
      { redact },
    );

    assert.equal(
      text,
      'ts=2026-11-21T07:05:09.12Z caller=main url=https://me:***@git err="no ***" k-***=1\n',
    );
  });
});

describe("a logger in JSON", () => {
  it("shows what a terminal would act upon as escapes", () => {
    const text = line({ key: "a\x7f\x9b2J\u202e\x1b[0m" }, { format: "json" });

    assert.match(text, /"key":"a\\u007f\\u009b2J\\u202e\\u001b\[0m"/);
  });

  it("writes one object a line with its keys sorted and values of their types", () => {
    const fields = {
      zeta: 1,
      alpha: "<a & b>",
      err: null,
      done: true,
      at: new Date(now),
      why: new Error("no"),
    };

    assert.equal(
      line(fields, { format: "json" }),
      '{"alpha":"<a & b>","at":"2026-11-21T07:05:09.12Z","caller":"main","done":true,"err":null,' +
        '"ts":"2026-11-21T07:05:09.12Z","why":"no","zeta":1}\n',
    );
  });

  it("keeps the last value of a key that stands twice", () => {
    const text = logged((logger) => logger.with({ component: "a" }).log({ component: "b" }), {
      format: "json",
    });

    assert.equal(text, '{"caller":"b","component":"b","ts":"2026-11-21T07:05:09.12Z"}\n');
  });
});
