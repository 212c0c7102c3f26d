import { makeVisible } from "@weir/base";
import { cutMarkup, cutText } from "./cut.ts";
import { type NotableEvent, type Severity, worstOf } from "./event.ts";
import type { TextFormat } from "./formats/format.ts";
import { plainFormat } from "./formats/plain.ts";
import { renderTemplate, type TemplateTexts } from "./template.ts";
import { type View, viewOf } from "./view.ts";

/** What a channel is told at once: an event, or several of one group. */
export interface Notification {
  /** The same whenever this notification is sent again, so that a receiver can tell. */
  readonly id: string;
  /** Oldest first. */
  readonly events: readonly [NotableEvent, ...NotableEvent[]];
  readonly template: TemplateTexts;
}

/** Something to know about the events; plain text. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What a message says, before a service's own format is put around it. */
export interface Content {
  /** Plain text, in one line. */
  readonly title: string;
  /** In the service's format. */
  readonly text: string;
  readonly facts: readonly Fact[];
  readonly severity: Severity;
  /** "" if there is none. */
  readonly link: string;
}

/** What a service can show. */
export interface ContentOptions {
  readonly format: TextFormat;
  /** The longest text, in UTF-16 code units. */
  readonly maxText: number;
}

const usualTitle = "{{instance}}: {{type}}{{#more}} (and {{more}} more){{/more}}";

const usualText = `{{^more}}{{message}}{{/more}}{{#more}}{{#omitted}}{{omitted}} earlier, then:
{{/omitted}}{{#events}}{{time}} {{message}}
{{/events}}{{/more}}`;

const maxTitle = 200;
const maxFact = 300;

/** Values are cut to the first of these lengths with which the text is short enough. */
const valueLengths = [2_000, 600, 200, 60] as const;

/** Says what happened. Throws TemplateError if a template of the rule can't be used. */
export function contentOf({ events, template }: Notification, options: ContentOptions): Content {
  const view = viewOf(events);
  return {
    title: renderTitle(template, view),
    text: renderWithin(template.text ?? usualText, view, options),
    facts: factsOf(view),
    severity: worstOf(events.map(({ severity }) => severity)),
    link: view.link?.url ?? "",
  };
}

/** Says it in one line of plain text. Throws TemplateError. */
export function titleOf({ events, template }: Notification): string {
  return renderTitle(template, viewOf(events));
}

function renderTitle(template: TemplateTexts, view: View): string {
  const options = { format: plainFormat, maxValue: maxTitle };
  const title = renderTemplate(template.title ?? usualTitle, view, options);
  return cutText(title.replaceAll(/\s+/g, " ").trim(), maxTitle) || view.instance;
}

/** Cuts values rather than the whole, which would lose the end of the template. */
function renderWithin(template: string, view: View, { format, maxText }: ContentOptions): string {
  const texts = valueLengths
    .values()
    .map((maxValue) => renderTemplate(template, view, { format, maxValue }).trim());
  let text = "";
  for (text of texts) {
    if (text.length <= maxText) {
      return text;
    }
  }
  return cutMarkup(text, maxText);
}

function factsOf(view: View): readonly Fact[] {
  const all = [
    { name: "Instance", value: view.instance },
    { name: "Event", value: view.type },
    { name: "Severity", value: view.severity },
    { name: "Namespaces", value: view.namespaceNames },
    { name: "Workloads", value: view.workloadNames },
    { name: "Revision", value: view.shortRevision },
    { name: "Time", value: view.time },
  ];
  return all
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => ({
      name,
      value: cutText(makeVisible(value).replaceAll(/\s+/g, " "), maxFact),
    }));
}
