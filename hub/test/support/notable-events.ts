import fc from "fast-check";
import { type NotableEvent, severities } from "../../src/notify/event.ts";

/** A failed sync, changed as a test needs it. */
export function notableEvent(changes: Partial<NotableEvent> = {}): NotableEvent {
  return {
    id: 1,
    instance: { id: "i1", name: "prod-eu" },
    type: "sync",
    severity: "error",
    namespaces: ["shop"],
    workloads: ["shop:deployment/cart"],
    revision: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    message: "Sync: 4b825dc, shop:deployment/cart",
    at: new Date("2024-05-01T12:30:00Z"),
    link: "https://console.example.com/events/1?from=slack&x=1",
    ...changes,
  };
}

/** What somebody could put into a name, a commit message, or an error, to do more than be shown. */
export const hostileTexts = [
  "@everyone @here <@123> <@&456> <#789>",
  "<!channel> <!here|here> <!subteam^S1> <@U123>",
  "<https://evil.example|Open in the console>",
  "[Open in the console](https://evil.example)",
  "https://evil.example www.evil.example evil@example.com",
  "![x](https://evil.example/pixel.png)",
  "*bold* _italic_ ~strike~ `code` **b** __u__ ~~s~~ ||spoiler||",
  "```\ncode\n```",
  "# Heading\n- list\n1. one\n> quote\n---\n| a | b |\n|---|---|",
  "/close\n/merge",
  "fixes #1, closes GH-2, org/repo#3, !4, $5, ~label, %1.0, &6",
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "<!-- weir-notification: msg_1 -->",
  "x\r\nBcc: victim@example.com\r\n\r\nbody",
  '"}],"text":"broken out',
  "\u202egnirts desrever\u202c \u001b[2J \u0000",
  ":tada: :skull:",
  "{{instance}} {{{instance}}}",
  "\\",
  "&lt;!channel&gt; &amp;",
  "    four spaces",
] as const;

/** Those with a meaning somewhere, and some without. */
const characters = Array.from("@#!$%&*_~`|<>[](){}\\/:.-+=^ \nabc12é😀");

/** Hostile texts, their combinations, and anything else. */
export function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...hostileTexts),
    fc
      .array(fc.constantFrom(...characters, "://", "www.", "GH-"), {
        maxLength: 30,
      })
      .map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.array(fc.constantFrom(...hostileTexts), { maxLength: 4 }).map((texts) => texts.join(" ")),
  );
}

/** Events of few instances, types, and namespaces, so that they're often alike. */
export function anyEvent(): fc.Arbitrary<NotableEvent> {
  return fc.record({
    id: fc.nat(),
    instance: fc.record({
      id: fc.constantFrom("i1", "i2"),
      name: fc.oneof(fc.constantFrom("prod-eu", "staging"), anyText()),
    }),
    type: fc.constantFrom("sync", "release", "drift"),
    severity: fc.constantFrom(...severities),
    namespaces: fc.array(fc.constantFrom("shop", "team-a", "team-b"), { maxLength: 2 }),
    workloads: fc.array(anyText(), { maxLength: 30 }),
    revision: fc.constantFrom("", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
    message: anyText(),
    at: fc.date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
    link: fc.constantFrom("", "https://console.example.com/events/1?a=1&b=2"),
  });
}
