/**
 * The templates of rules: Mustache, without anything that could run code, show a value unescaped, or make a message grow
 * without bounds. In: a template, a view, and the format of a service. Out: text in that format.
 */
import { makeVisible } from "@weir/base";
import mustache from "mustache";
import { cutText } from "./cut.ts";
import type { TextFormat } from "./formats/format.ts";
import { Link, listNames, type View, valueNames } from "./view.ts";

/** What a rule says instead of the usual texts; undefined for the usual one. */
export interface TemplateTexts {
  /** One line: the heading, the subject of a mail, or the description of a commit status. */
  readonly title?: string | undefined;
  readonly text?: string | undefined;
}

/** A template can't be used; the message says what to change. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** Long enough for any message that people read. */
export const maxTemplateLength = 2_000;

/** A part of a parsed template, as mustache.js documents it. */
type Token = readonly [kind: string, text: string, start: number, end: number, children?: readonly Token[]];

/** Throws TemplateError if a template can't be used. */
export function checkTemplate(template: string): void {
  if (template.length > maxTemplateLength) {
    throw new TemplateError(`the template is longer than ${maxTemplateLength} characters: shorten it`);
  }
  checkTokens(parse(template), undefined);
}

/** How to render. */
export interface RenderOptions {
  readonly format: TextFormat;
  /** Values longer than this are cut, in UTF-16 code units. */
  readonly maxValue: number;
}

/** Renders a template. Throws TemplateError for one that `checkTemplate` refuses. */
export function renderTemplate(template: string, view: View, { format, maxValue }: RenderOptions): string {
  checkTemplate(template);
  const escape = (value: unknown): string =>
    value instanceof Link
      ? format.link(value.url)
      : format.escape(
          cutText(makeVisible(typeof value === "number" ? String(value) : textOf(value)), maxValue),
        );
  // A writer of its own, because the usual one keeps every template that it has ever seen.
  return new mustache.Writer().render(template, view, undefined, { escape });
}

/** Only texts get here: checked templates name nothing else. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function parse(template: string): readonly Token[] {
  try {
    return new mustache.Writer().parse(template) as readonly Token[];
  } catch (cause) {
    const { message } = cause as Error;
    throw new TemplateError(`the template isn't valid: ${message}`, { cause });
  }
}

/** `list` is the list that the tokens are repeated for, if any. */
function checkTokens(tokens: readonly Token[], list: string | undefined): void {
  for (const [kind, name, , , children = []] of tokens) {
    switch (kind) {
      case "text":
        break;
      case "name":
        requireValue(name, list);
        break;
      case "#":
        checkSection(name, children, list);
        break;
      case "^":
        requireKnown(name);
        checkTokens(children, list);
        break;
      case ">":
        throw new TemplateError(`{{>${name}}} isn't supported: a template can't include others`);
      default:
        throw new TemplateError(`{{&${name}}} and {{{${name}}}} aren't supported: use {{${name}}}`);
    }
  }
}

/** Lists in lists could multiply to any size. */
function checkSection(name: string, children: readonly Token[], list: string | undefined): void {
  requireKnown(name);
  if (listNames.has(name) && list !== undefined) {
    throw new TemplateError(`{{#${name}}} can't be inside {{#${list}}}: end that list first`);
  }
  checkTokens(children, listNames.has(name) ? name : list);
}

function requireValue(name: string, list: string | undefined): void {
  if (name === "." && (list === "namespaces" || list === "workloads")) {
    return;
  }
  if (listNames.has(name)) {
    throw new TemplateError(`{{${name}}} is a list: write {{#${name}}} … {{/${name}}}`);
  }
  requireKnown(name);
}

function requireKnown(name: string): void {
  if (!valueNames.has(name) && !listNames.has(name)) {
    const known = [...valueNames, ...listNames].join(", ");
    throw new TemplateError(`{{${name}}} is unknown: templates know ${known}`);
  }
}
