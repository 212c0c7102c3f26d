import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SignedData } from "../../../src/git/signature.ts";
import { authorOf, splitCommit, splitTag, withSignature } from "../../../src/git/signed-object.ts";

const id = "a".repeat(40);
const headers = `tree ${id}
author Jo <jo@example.test> 1700000000 +0100
committer Weave Flux <support@weave.works> 1700000001 +0000
`;
const signature = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n";
const folded = "-----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n";

describe("a commit", () => {
  it("is signed without the header that has the signature", () => {
    const commit = `${headers}gpgsig ${folded}encoding x\n\nsubject\n\n gpgsig body\n`;

    assert.deepEqual(texts(splitCommit(Buffer.from(commit), id)), {
      data: `${headers}encoding x\n\nsubject\n\n gpgsig body\n`,
      signature,
    });
  });

  it("isn't signed by a header of its message", () => {
    assert.equal(splitCommit(Buffer.from(`${headers}\ngpgsig ${folded}`), id), undefined);
  });

  it("isn't signed by the signature for another hash, which nobody signs either", () => {
    const both = Buffer.from(`${headers}gpgsig ${folded}gpgsig-sha256 other\n more\nx-header y\n z\n\nm\n`);

    assert.equal(splitCommit(Buffer.from(`${headers}gpgsig-sha256 ${folded}\nm\n`), id), undefined);
    assert.deepEqual(texts(splitCommit(both, id)), {
      data: `${headers}x-header y\n z\n\nm\n`,
      signature,
    });
    assert.equal(texts(splitCommit(both, "b".repeat(64)))?.signature, "other\nmore\n");
  });

  it("has all signatures together, as git reads them", () => {
    const twice = Buffer.from(`${headers}gpgsig ${folded}gpgsig ${folded}\nm\n`);

    assert.equal(texts(splitCommit(twice, id))?.signature, signature + signature);
  });

  for (const [what, content] of Object.entries({
    nothing: "",
    "no end": `gpgsig a`,
    "no message": `${headers}gpgsig a\n`,
    "a NUL": `${headers}gpgsig a\0b\n\nm`,
    "no date": `committer x\ngpgsig a\n\nm`,
  })) {
    it(`can have ${what}`, () => {
      const split = texts(splitCommit(Buffer.from(content), id));

      assert.equal(split === undefined, content === "");
      assert.doesNotMatch(split?.data ?? "", /gpgsig/);
    });
  }

  it("keeps bytes that aren't text", () => {
    const bytes = Buffer.from([0x0a, 0xff, 0xfe, 0x00, 0x80]);
    const split = splitCommit(Buffer.concat([Buffer.from(`${headers}gpgsig a\n`), bytes]), id);

    assert.deepEqual(split && Buffer.from(split.data), Buffer.concat([Buffer.from(headers), bytes]));
  });

  it("gets its signature as the last header, which is what's split off again", () => {
    const content = Buffer.from(`${headers}encoding ISO-8859-1\n\nsubject\n\nbody\n`);

    const signed = withSignature(content, id, signature.replaceAll("\n", "\r\n"));

    assert.equal(signed.toString(), `${headers}encoding ISO-8859-1\ngpgsig ${folded}\nsubject\n\nbody\n`);
    assert.deepEqual(texts(splitCommit(signed, id)), {
      data: content.toString(),
      signature,
    });
    assert.match(withSignature(content, "b".repeat(64), signature).toString(), /\ngpgsig-sha256 -----BEGIN/);
  });

  it("tells its author", () => {
    assert.equal(authorOf(Buffer.from(`${headers}\nm\n`)), "Jo <jo@example.test>");
    assert.equal(authorOf(Buffer.from(`tree x\n\nauthor Eve <e@example.test> 1 +0000\n`)), "");
  });
});

describe("a tag", () => {
  const tag = `object ${id}\ntype commit\ntag t\ntagger Jo <jo@example.test> 1700000000 +0000\n\nmessage\n`;

  it("is signed at its end", () => {
    assert.deepEqual(texts(splitTag(Buffer.from(tag + signature))), {
      data: tag,
      signature,
    });
  });

  it("is signed by the last signature in its text", () => {
    const twice = tag + signature + signature;

    assert.deepEqual(texts(splitTag(Buffer.from(twice))), {
      data: tag + signature,
      signature,
    });
  });

  it("isn't signed without one, or by one that starts within a line", () => {
    assert.equal(splitTag(Buffer.from(tag)), undefined);
    assert.equal(splitTag(Buffer.from(`${tag}x${signature}`)), undefined);
    assert.equal(splitTag(Buffer.alloc(0)), undefined);
  });

  it("isn't signed together with signatures in its headers", () => {
    const [object = "", ...rest] = tag.split("\n");
    const withHeader = [object, "gpgsig-sha256 a", " b", ...rest].join("\n");

    assert.equal(texts(splitTag(Buffer.from(withHeader + signature)))?.data, tag);
  });

  for (const start of ["SSH SIGNATURE", "SIGNED MESSAGE", "PGP MESSAGE"]) {
    it(`can have a signature of the kind ${start}`, () => {
      const end = `-----BEGIN ${start}-----\nx\n`;

      assert.equal(texts(splitTag(Buffer.from(tag + end)))?.signature, end);
    });
  }
});

function texts(
  signed: SignedData | undefined,
): { readonly data: string; readonly signature: string } | undefined {
  return (
    signed && {
      data: Buffer.from(signed.data).toString("latin1"),
      signature: Buffer.from(signed.signature).toString("latin1"),
    }
  );
}
