import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { guardedLookup, isForbiddenAddress, isPrivateAddress } from "../../src/addresses.ts";
import { ForbiddenAddressError } from "../../src/transport.ts";

describe("isForbiddenAddress", () => {
  const forbidden = [
    "169.254.169.254",
    "169.254.0.1",
    "[fe80::1]",
    "fe80::1%eth0",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "[fd20:ce::254]",
    "168.63.129.16",
    "192.0.0.192",
    "[64:ff9b::169.254.169.254]",
  ];
  for (const address of forbidden) {
    it(`holds for ${address}`, () => {
      assert.equal(isForbiddenAddress(address), true);
    });
  }

  for (const address of [
    "127.0.0.1",
    "10.0.0.1",
    "[::1]",
    "registry.example.com",
    "169.253.1.1",
    "64:ff9b::808:808",
    "",
  ]) {
    it(`does not hold for ${JSON.stringify(address)}`, () => {
      assert.equal(isForbiddenAddress(address), false);
    });
  }
});

describe("isPrivateAddress", () => {
  const inside = [
    "127.0.0.1",
    "0.0.0.0",
    "10.255.0.1",
    "100.64.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "[::1]",
    "::",
    "fd12::1",
    "[::ffff:10.0.0.1]",
    "::ffff:7f00:1",
  ];
  for (const address of inside) {
    it(`holds for ${address}`, () => {
      assert.equal(isPrivateAddress(address), true);
    });
  }

  for (const address of ["8.8.8.8", "172.32.0.1", "100.128.0.1", "[2001:db8::1]", "localhost", ""]) {
    it(`does not hold for ${JSON.stringify(address)}`, () => {
      assert.equal(isPrivateAddress(address), false);
    });
  }
});

describe("guardedLookup", () => {
  const refusalOf = (address: string): "link-local" | undefined =>
    isForbiddenAddress(address) ? "link-local" : undefined;

  function lookUp(host: string, all: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      guardedLookup(refusalOf)(host, { all }, (error, address) => {
        if (error) {
          reject(error);
        } else {
          resolve(address);
        }
      });
    });
  }

  it("fails for what leads to a forbidden address", async () => {
    await assert.rejects(lookUp("169.254.169.254", true), ForbiddenAddressError);
    await assert.rejects(lookUp("169.254.169.254", false), ForbiddenAddressError);
  });

  it("finds others as they are asked for", async () => {
    assert.equal(await lookUp("127.0.0.1", false), "127.0.0.1");
    assert.deepEqual(await lookUp("127.0.0.1", true), [{ address: "127.0.0.1", family: 4 }]);
  });
});
