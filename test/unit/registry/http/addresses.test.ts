import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isForbiddenAddress } from "../../../../src/registry/http/addresses.ts";

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
  ];
  for (const address of forbidden) {
    it(`holds for ${address}`, () => {
      assert.equal(isForbiddenAddress(address), true);
    });
  }

  for (const address of ["127.0.0.1", "10.0.0.1", "[::1]", "registry.example.com", "169.253.1.1", ""]) {
    it(`does not hold for ${JSON.stringify(address)}`, () => {
      assert.equal(isForbiddenAddress(address), false);
    });
  }
});
