import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { commands } from "../../../cmd/fluxctl/commands/table.ts";
import { printManPages } from "../../../scripts/fluxctl-docs/man-pages.ts";
import { type Manual, readManual } from "../../../scripts/fluxctl-docs/manual.ts";
import { printMarkdown } from "../../../scripts/fluxctl-docs/markdown.ts";

const manual: Manual = {
  globalFlags: [
    { names: "-u, --url", value: "string", usage: "Where | <it> is", standard: "", deprecated: undefined },
  ],
  commands: [
    {
      name: "do-it",
      aliases: ["act"],
      short: "Does it",
      usage: "fluxctl do-it [flags]",
      long: "Does it.\n\n.hidden is no request, and \\fB no escape.",
      example: "fluxctl do-it --now\n'quoted'",
      flags: [
        { names: "--now", value: "", usage: "At once", standard: "true", deprecated: "it is always so" },
      ],
    },
  ],
};

describe("the markdown of a command", () => {
  it("has its use, examples and flags, with nothing that Markdown takes for its own", () => {
    const text = printMarkdown(manual);

    assert.ok(text.includes("| [do-it](#fluxctl-do-it) | Does it |"));
    assert.ok(text.includes("| `-u, --url string` | Where \\| &lt;it> is |  |"));
    assert.ok(
      text.endsWith(`## fluxctl do-it

Does it.

.hidden is no request, and \\fB no escape.

Also called \`act\`.

\`\`\`
fluxctl do-it [flags]
\`\`\`

\`\`\`
fluxctl do-it --now
'quoted'
\`\`\`

| flag | what it does | default |
| --- | --- | --- |
| \`--now\` | At once (deprecated: it is always so) | \`true\` |
`),
    );
  });
});

describe("the man pages", () => {
  it("are one for fluxctl and one for each command", async () => {
    const files = printManPages(await readManual(), "1.2.3").map(({ file }) => file);

    assert.deepEqual(
      new Set(files),
      new Set(["fluxctl.1", ...commands.map(({ name }) => `fluxctl-${name}.1`)]),
    );
  });

  it("have its use, examples and flags, with nothing that roff takes for its own", () => {
    const text = printManPages(manual, "1.2.3").find(({ file }) => file === "fluxctl-do-it.1")?.text ?? "";

    assert.ok(
      text.startsWith(`.TH FLUXCTL\\-DO\\-IT 1 "" "Weir 1.2.3" "fluxctl"
.SH NAME
fluxctl\\-do\\-it \\- Does it
.SH SYNOPSIS
fluxctl do\\-it [flags]
.SH DESCRIPTION
.PP
Does it.
.PP
\\&.hidden is no request, and \\efB no escape.
.PP
Also called act.
.SH EXAMPLES
.PP
.nf
.RS
fluxctl do\\-it \\-\\-now
\\&'quoted'
.RE
.fi
.SH OPTIONS
.TP
\\fB\\-\\-now\\fR
At once (default true) (deprecated: it is always so)
`),
      text,
    );
  });
});
