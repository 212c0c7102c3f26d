import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { marked, type Token, type Tokens } from "marked";
import { discordFormat } from "../../../src/notify/formats/discord.ts";
import { htmlFormat } from "../../../src/notify/formats/html.ts";
import { markdownFormat } from "../../../src/notify/formats/markdown.ts";
import { slackFormat } from "../../../src/notify/formats/slack.ts";
import { anyText } from "../../support/notable-events.ts";

const separator = "\u200b";

describe("a text in Slack's mrkdwn", () => {
  it("is shown as it was", () => {
    assert.equal(
      slackFormat.escape("shop:deployment/my_app-1 & <b>"),
      "shop:deployment/my_app-1 &amp; &lt;b&gt;",
    );
  });

  it("has no angle brackets and no entities but those of the escapes, so no mentions and links", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const escaped = slackFormat.escape(text);

        assert.doesNotMatch(escaped, /[<>]|&(?!amp;|lt;|gt;)/);
        assert.equal(unescapeSlack(escaped), text.replaceAll(separator, ""));
      }),
    );
  });

  it("formats nothing, is no emoji, and no quote", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const escaped = slackFormat.escape(text);

        assert.doesNotMatch(escaped, /(^|[\s.,(])[*_~`](?=\S)/u);
        assert.doesNotMatch(escaped, /:[\w'+-]+:/);
        assert.doesNotMatch(escaped, /^&gt;/m);
      }),
    );
  });

  it("can be linked to", () => {
    assert.equal(slackFormat.link("https://a.example/?x=1&y=a|b"), "https://a.example/?x=1&amp;y=a%7Cb");
  });
});

describe("a text in Markdown of GitHub and GitLab", () => {
  it("is shown as it was", () => {
    assert.equal(markdownFormat.escape("shop:deployment/my_app-1.2"), "shop\\:deployment/my_app-1.2");
  });

  it("is nothing but text and line breaks for a parser, wherever it stands", () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom("", "- ", "**Title** "), (text, before) => {
        const escaped = markdownFormat.escape(text);

        const tokens = leaves(marked.lexer(`${before}x${escaped}x\n\n${before}${escaped}`, { gfm: true }));

        assert.deepEqual(
          tokens.filter((token) => !harmless.has(token.type) && token.raw !== "<br>").map(({ raw }) => raw),
          [],
        );
      }),
    );
  });

  it("refers to nobody and nothing, in the text that a reader sees", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const shown = shownText(marked.lexer(markdownFormat.escape(text), { gfm: true }));

        assert.doesNotMatch(shown, /(?<![\w`])[@#!$~%&](?=[\w"'])/);
        assert.doesNotMatch(shown, /:\/\/|\bwww\.|\bGH-\d|\w@\w/i);
      }),
    );
  });

  it("begins no line with a quick action", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.doesNotMatch(markdownFormat.escape(text), /^\s*\//m);
      }),
    );
  });
});

describe("a text in Discord's Markdown", () => {
  it("is shown as it was", () => {
    assert.equal(discordFormat.escape("my-app_1.2 at shop/cart"), "my-app_1.2 at shop/cart");
  });

  it("is the same without the backslashes before punctuation", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.equal(discordFormat.escape(text).replaceAll(/\\([!-/:-@[-`{-~])/g, "$1"), text);
      }),
    );
  });

  it("has every character escaped that could begin something, except within words", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const unescaped = discordFormat.escape(text).replaceAll(/\\[!-/:-@[-`{-~]/g, "");

        assert.doesNotMatch(unescaped, /[@<>#*`~|[\]()\\:^]/);
        assert.doesNotMatch(unescaped, /(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/);
      }),
    );
  });
});

describe("a text in HTML", () => {
  it("has no tags, attributes, and entities of its own", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.doesNotMatch(htmlFormat.escape(text), /[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
    );
  });
});

/** What a text consists of; "list" and others contain these. */
const harmless: ReadonlySet<string> = new Set([
  "text",
  "escape",
  "space",
  "br",
  "paragraph",
  "list",
  "list_item",
  "strong",
]);

function leaves(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token) => {
    const inner =
      "tokens" in token ? (token.tokens ?? []) : token.type === "list" ? (token as Tokens.List).items : [];
    return [token, ...leaves(inner)];
  });
}

function shownText(tokens: readonly Token[]): string {
  return leaves(tokens)
    .filter((token) => !("tokens" in token))
    .map((token) => (token.type === "text" || token.type === "escape" ? String(token.text) : "\n"))
    .join("");
}

function unescapeSlack(text: string): string {
  return text
    .replaceAll(separator, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
