import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { contentOf } from "../../../src/notify/content.ts";
import { markdownFormat } from "../../../src/notify/formats/markdown.ts";
import { plainFormat } from "../../../src/notify/formats/plain.ts";
import { slackFormat } from "../../../src/notify/formats/slack.ts";
import { checkTemplate, renderTemplate, TemplateError } from "../../../src/notify/template.ts";
import { viewOf } from "../../../src/notify/view.ts";
import { anyEvent, notableEvent } from "../../support/notable-events.ts";

function render(template: string, ...messages: readonly string[]): string {
  const [first = "one", ...others] = messages;
  const view = viewOf([
    notableEvent({ message: first }),
    ...others.map((message) => notableEvent({ message })),
  ]);
  return renderTemplate(template, view, { format: slackFormat, maxValue: 100 });
}

describe("a template", () => {
  it("shows values, escaped for the service, and links to the console", () => {
    assert.equal(
      render("*{{instance}}*: {{message}} <{{link}}|look>", "<!channel>"),
      "*prod-eu*: &lt;!channel&gt; <https://console.example.com/events/1?from=slack&amp;x=1|look>",
    );
  });

  it("repeats a part for each event, and knows whether there are more", () => {
    assert.equal(
      render("{{#events}}{{message}};{{/events}}{{#more}} {{more}} more{{/more}}", "a", "b", "c"),
      "a;b;c; 2 more",
    );
    assert.equal(
      render("{{message}}{{#more}} {{more}} more{{/more}}{{^more}} alone{{/more}}", "a"),
      "a alone",
    );
  });

  it("shows lists of names", () => {
    assert.equal(
      render("{{#workloads}}{{.}} {{/workloads}}in {{namespaceNames}}"),
      "shop:deployment/cart in shop",
    );
  });

  it("isn't part of what values say", () => {
    assert.equal(render("{{message}}", "{{instance}}"), "{{instance}}");
  });

  for (const [template, problem] of [
    ["{{{message}}}", /use {{message}}/],
    ["{{&message}}", /use {{message}}/],
    ["{{>other}}", /can't include/],
    ["{{constructor}}", /is unknown: templates know instance/],
    ["{{message.length}}", /is unknown/],
    ["{{#__proto__}}x{{/__proto__}}", /is unknown/],
    ["{{#events}}{{#workloads}}x{{/workloads}}{{/events}}", /can't be inside {{#events}}/],
    ["{{workloads}}", /is a list/],
    ["{{.}}", /is unknown/],
    ["{{#events}}", /Unclosed section/],
    ["{{message", /Unclosed tag/],
    ["x".repeat(2001), /longer than 2000/],
  ] as const) {
    it(`is refused with a reason: ${template.slice(0, 60)}`, () => {
      assert.throws(
        () => checkTemplate(template),
        (error: unknown) => error instanceof TemplateError && problem.test(error.message),
      );
    });
  }

  it("is either refused or rendered, whatever it is", () => {
    const parts = fc.constantFrom(
      "{{",
      "}}",
      "#",
      "/",
      "^",
      ">",
      "&",
      "=",
      "!",
      "{",
      "}",
      "events",
      "message",
      ".",
      " ",
      "\n",
      "x",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 15 }), (template) => {
        try {
          checkTemplate(template.join(""));
        } catch (error) {
          assert.ok(error instanceof TemplateError);
          return;
        }
        assert.equal(typeof render(template.join("")), "string");
      }),
    );
  });
});

describe("the content of a message", () => {
  const options = { format: markdownFormat, maxText: 3_000 };

  it("says what happened", () => {
    const content = contentOf(
      { id: "msg_1", events: [notableEvent()], template: {} },
      { format: plainFormat, maxText: 500 },
    );

    assert.deepEqual(content, {
      title: "prod-eu: sync",
      text: "Sync: 4b825dc, shop:deployment/cart",
      facts: [
        { name: "Instance", value: "prod-eu" },
        { name: "Event", value: "sync" },
        { name: "Severity", value: "error" },
        { name: "Namespaces", value: "shop" },
        { name: "Workloads", value: "shop:deployment/cart" },
        { name: "Revision", value: "4b825dc" },
        { name: "Time", value: "2024-05-01 12:30:00 UTC" },
      ],
      severity: "error",
      link: "https://console.example.com/events/1?from=slack&x=1",
    });
  });

  it("says how many more events there are, and shows the newest", () => {
    const events = Array.from({ length: 13 }, (_, index) =>
      notableEvent({ id: index, message: `event ${index}`, severity: index === 0 ? "error" : "info" }),
    );
    const [first = notableEvent(), ...others] = events;

    const { title, text, severity } = contentOf(
      { id: "msg_1", events: [first, ...others], template: {} },
      { format: plainFormat, maxText: 3_000 },
    );

    assert.equal(title, "prod-eu: sync (and 12 more)");
    assert.match(text, /^3 earlier, then:\n2024-05-01 12:30:00 UTC event 3\n/);
    assert.match(text, /event 12$/);
    assert.equal(severity, "error");
  });

  it("has a title of one line, and texts within their limits, whatever happened", () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent(), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 200, max: 3_000 }),
        (events, maxText) => {
          const [first, ...others] = events;
          if (first === undefined) {
            return;
          }

          const content = contentOf(
            { id: "msg_1", events: [first, ...others], template: {} },
            { ...options, maxText },
          );

          assert.ok(content.text.length <= maxText);
          assert.ok(content.title.length <= 200 && !/[\n\r\0\u202e]/.test(content.title));
          assert.ok(content.facts.every(({ value }) => value.length <= 300 && !/[\n\r\0\u202e]/.test(value)));
        },
      ),
    );
  });
});
