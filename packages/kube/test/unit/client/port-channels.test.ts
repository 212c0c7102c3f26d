import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dataMessage, PortMessages } from "../../../src/client/port-channels.ts";

const port = [0xd6, 0x0b];

describe("port channels", () => {
  it("put the data channel in front of what goes to the port", () => {
    assert.deepEqual(dataMessage(Buffer.from("hi")), Buffer.from([0, 0x68, 0x69]));
  });

  it("begin with the number of the port, which is no data", () => {
    const messages = new PortMessages();

    assert.equal(messages.read(Buffer.from([0, ...port])), undefined);
    assert.deepEqual(messages.read(Buffer.from([0, ...port])), { kind: "data", bytes: Buffer.from(port) });
  });

  it("tell an error apart from data", () => {
    const messages = new PortMessages();
    messages.read(Buffer.from([1, ...port]));

    const said = messages.read(Buffer.concat([Buffer.of(1), Buffer.from("connection refused\n")]));

    assert.deepEqual(said, { kind: "error", message: "connection refused" });
  });

  it("pass over channels that are not ours", () => {
    assert.equal(new PortMessages().read(Buffer.from([7, 1])), undefined);
    assert.equal(new PortMessages().read(Buffer.alloc(0)), undefined);
  });
});
