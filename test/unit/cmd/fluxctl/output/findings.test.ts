import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { failed, passed, warning } from "@weir/base";
import { printFindings } from "../../../../../cmd/fluxctl/output/findings.ts";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";

const findings = [
  passed("API", "fluxd answers"),
  warning("image cache", "memcached is away", "start it"),
  failed("git read", "refused\n by the host", "add the key:\nssh-rsa AAAA"),
  failed("other", "unknown", ""),
];

describe("printFindings", () => {
  it("says in words how each is, and what to do", () => {
    assert.equal(
      printFindings(findings, { paint: plain, marks: false }),
      `passed   API          fluxd answers
warning  image cache  memcached is away
         What to do: start it
failed   git read     refused by the host
         What to do: add the key:
         ssh-rsa AAAA
failed   other        unknown
`,
    );
  });

  it("has marks for a screen, with colours around them alone", () => {
    const paint = { ...plain, bad: (text: string) => `<${text}>` };

    assert.equal(
      printFindings(findings.slice(2), { paint, marks: true }),
      `<✗>  git read  refused by the host
   What to do: add the key:
   ssh-rsa AAAA
<✗>  other     unknown
`,
    );
  });
});
