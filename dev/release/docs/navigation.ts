import { lexer, type Token, type Tokens } from "marked";
import { indexSource, pageOf, resolveTarget } from "./pages.ts";

/** A chapter of the site's navigation. */
export interface Chapter {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** The chapters of the page that lists the others: a heading of level 2, and the first link of each item below it. */
export function readNavigation(index: string): readonly Chapter[] {
  const chapters: { text: string; items: { text: string; link: string }[] }[] = [];
  for (const token of lexer(index)) {
    if (isHeading(token) && token.depth === 2) {
      chapters.push({ text: token.text, items: [] });
    } else if (isList(token)) {
      chapters.at(-1)?.items.push(...token.items.flatMap(itemOf));
    }
  }
  return chapters.filter(({ items }) => items.length > 0);
}

function itemOf(item: Tokens.ListItem): readonly { text: string; link: string }[] {
  const link = firstLink(item.tokens);
  const file = link && resolveTarget(indexSource, link.href);
  return link === undefined || file === undefined
    ? []
    : [{ text: link.text, link: `/${pageOf(file).replace(/\.md$/, "")}` }];
}

function firstLink(tokens: readonly Token[]): Tokens.Link | undefined {
  for (const token of tokens) {
    const found = isLink(token) ? token : "tokens" in token ? firstLink(token.tokens ?? []) : undefined;
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function isLink(token: Token): token is Tokens.Link {
  return token.type === "link";
}
