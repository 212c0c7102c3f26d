import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAddress, printAddress } from "../../../src/serving/address.ts";
import { ListenError, toListenError } from "../../../src/serving/listen-error.ts";

describe("an address to listen on", () => {
  it("is a host and a port, with IPv6 in brackets", () => {
    assert.deepEqual(parseAddress(":3030"), { host: "", port: 3030 });
    assert.deepEqual(parseAddress("127.0.0.1:80"), { host: "127.0.0.1", port: 80 });
    assert.deepEqual(parseAddress("localhost:0"), { host: "localhost", port: 0 });
    assert.deepEqual(parseAddress("[::1]:65535"), { host: "::1", port: 65535 });
  });

  for (const text of [
    "",
    "3030",
    "host",
    "host:",
    "host:http",
    "::1:3030",
    "[::1]",
    ":65536",
    ":-1",
    "a:1 ",
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseAddress(text), ListenError);
    });
  }

  it("prints as it is parsed", () => {
    assert.equal(printAddress({ family: "IPv4", address: "127.0.0.1", port: 80 }), "127.0.0.1:80");
    assert.equal(printAddress({ family: "IPv6", address: "::1", port: 80 }), "[::1]:80");
    assert.equal(printAddress(null), "");
  });
});

describe("an address that cannot be had", () => {
  for (const [code, message] of [
    ["EADDRINUSE", "cannot listen on :80: another program listens there"],
    ["EADDRNOTAVAIL", "cannot listen on :80: this machine has no such address"],
    ["EACCES", "cannot listen on :80: this user is not permitted to"],
    ["ENOTFOUND", "cannot listen on :80: the name of its host cannot be resolved"],
    ["EWHATEVER", "cannot listen on :80: something else"],
  ] as const) {
    it(`for ${code} is told in words`, () => {
      assert.equal(
        toListenError(":80", Object.assign(new Error("something else"), { code })).message,
        message,
      );
    });
  }
});
