import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSameSecret } from "@weir/base";
import { readCookie, sessionCookie } from "../../../src/access/cookies.ts";
import { checkNotForged, csrfToken } from "../../../src/access/forgery.ts";
import { hashPassword, isPassword } from "../../../src/access/password.ts";
import { derivedSecret, isSecret, newSecret } from "../../../src/access/secrets.ts";
import { hashOfSecret } from "../../../src/store/secret-hash.ts";

const { signal } = new AbortController();

describe("secrets", () => {
  it("are different each time, and recognized by their kind", () => {
    const [one, other] = [newSecret("session"), newSecret("session")];
    assert.notEqual(one, other);
    assert.equal(isSecret("session", one), true);
    assert.equal(isSecret("token", one), false);
    assert.equal(isSecret("session", `${one}x`), false);
  });

  it("are stored as a hash that isn't the secret", () => {
    assert.equal(hashOfSecret("a"), "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb");
    assert.notEqual(derivedSecret("a", "csrf"), derivedSecret("a", "nonce"));
    assert.match(derivedSecret("a", "csrf"), /^[\w-]{43}$/);
    assert.equal(isSameSecret("a", "a"), true);
    assert.equal(isSameSecret("a", "ab"), false);
  });
});

describe("passwords", () => {
  it("are recognized by their hash, however they were typed", async () => {
    const stored = await hashPassword("caf\u00e9 correct horse", signal);
    assert.match(stored, /^\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    assert.equal(await isPassword("cafe\u0301 correct horse", stored, signal), true);
    assert.equal(await isPassword("cafe correct horse", stored, signal), false);
  });

  it("are never those of a user who doesn't exist, or whose hash isn't ours", async () => {
    assert.equal(await isPassword("", undefined, signal), false);
    assert.equal(await isPassword("x", "$scrypt$ln=40,r=8,p=1$AAAA$AAAA", signal), false);
    assert.equal(await isPassword("x", "x", signal), false);
  });
});

describe("the cookie of a session", () => {
  it("can't be read by scripts, and isn't sent by other sites", () => {
    assert.equal(sessionCookie("s", { isOverTls: false }), "weir-session=s; Path=/; HttpOnly; SameSite=Lax");
    assert.equal(
      sessionCookie("s", { isOverTls: true }),
      "__Host-weir-session=s; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
    assert.match(sessionCookie(undefined, { isOverTls: true }), /=; .*Max-Age=0$/);
  });

  it("is read among others, but not if it's there twice", () => {
    assert.equal(readCookie("a=1; weir-session=s=2; b=3", "weir-session"), "s=2");
    assert.equal(readCookie("weir-session=1; weir-session=2", "weir-session"), undefined);
    assert.equal(readCookie(undefined, "weir-session"), undefined);
  });
});

describe("a change with the cookie of a session", () => {
  const expected = csrfToken("one");
  const cases: readonly (readonly [string, Record<string, string>, boolean])[] = [
    ["with the token", { "x-csrf-token": expected }, true],
    ["from the same origin", { "x-csrf-token": expected, "sec-fetch-site": "same-origin" }, true],
    ["without the token", {}, false],
    ["with another token", { "x-csrf-token": csrfToken("other") }, false],
    ["from another site", { "x-csrf-token": expected, "sec-fetch-site": "cross-site" }, false],
    ["from a neighbouring host", { "x-csrf-token": expected, "sec-fetch-site": "same-site" }, false],
  ];
  for (const [what, headers, isAllowed] of cases) {
    it(`is ${isAllowed ? "allowed" : "refused"} ${what}`, () => {
      const check = (): void => checkNotForged({ method: "POST", headers }, expected);
      if (isAllowed) {
        check();
      } else {
        assert.throws(check, { name: "Problem", kind: "forbidden" });
      }
    });
  }

  it("isn't what reading is", () => {
    checkNotForged({ method: "GET", headers: {} }, expected);
  });
});
