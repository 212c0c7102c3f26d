import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RecordedLog } from "@weir/testing";
import { Outages } from "../../../../src/registry/memcached/outages.ts";

describe("outages of memcached", () => {
  it("are told once for each server, and their end too", () => {
    const log = new RecordedLog();
    const outages = new Outages(log);

    outages.answered("a:1");
    outages.failed("a:1", new Error("no route"));
    outages.failed("a:1", new Error("another reason"));
    outages.answered("b:1");
    outages.answered("a:1");
    outages.answered("a:1");
    outages.failed("a:1", new Error("again"));

    const away = "warning=memcached is unavailable; images are neither read nor scanned until it is back";
    assert.deepEqual(log.lines, [
      `${away} server=a:1 err=no route`,
      "info=memcached is back server=a:1",
      `${away} server=a:1 err=again`,
    ]);
  });

  it("end with the server where it is none of ours any more", () => {
    const log = new RecordedLog();
    const outages = new Outages(log);

    outages.failed("a:1", new Error("no route"));
    outages.forget("a:1");
    outages.answered("a:1");

    assert.equal(log.lines.length, 1);
  });
});
