import { slug } from "github-slugger";
import { lexer, type Token, type Tokens, walkTokens } from "marked";

/** Markdown as far as links are concerned. */
export interface MarkdownLinks {
  /** Where links lead, as written. */
  readonly targets: readonly string[];
  /** The anchors of the headings, as Git hosts make them. */
  readonly anchors: ReadonlySet<string>;
  /** The text of the first heading; "" if there's none. */
  readonly title: string;
}

/** The links and anchors of a Markdown text. */
export function readMarkdown(text: string): MarkdownLinks {
  const targets: string[] = [];
  const headings: string[] = [];
  void walkTokens(lexer(text), (token) => {
    if (isLink(token)) {
      targets.push(token.href);
    } else if (token.type === "heading") {
      headings.push(plainText(token));
    }
  });
  return {
    targets,
    anchors: new Set(withNumbers(headings.map((each) => slug(each)))),
    title: headings[0] ?? "",
  };
}

/** The text with other targets for its links; undefined leaves only the text of a link. */
export function replaceLinks(text: string, replace: (target: string) => string | undefined): string {
  return lexer(text)
    .map((token) => (token.type === "code" ? token.raw : replaceInProse(token.raw, replace)))
    .join("");
}

/** Code in a line, or a link with its text and target. */
const codeOrLink = /(`+)(?!`)[\s\S]*?[^`]\1(?!`)|\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^\s()]+)\)/g;

function replaceInProse(text: string, replace: (target: string) => string | undefined): string {
  return text.replaceAll(codeOrLink, (all, _ticks, label: string | undefined, target: string | undefined) => {
    if (label === undefined || target === undefined) {
      return all;
    }
    const other = replace(target);
    return other === undefined ? label : `[${label}](${other})`;
  });
}

function isLink(token: Token): token is Tokens.Link | Tokens.Image {
  return token.type === "link" || token.type === "image";
}

/** What's shown of inline tokens, without entities and markup. */
function plainText(token: Token): string {
  const inner = "tokens" in token ? token.tokens : undefined;
  if (inner !== undefined) {
    return inner.map(plainText).join("");
  }
  const text = "text" in token && typeof token.text === "string" ? token.text : "";
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Git hosts number the anchors of equal headings. */
function withNumbers(slugs: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return slugs.map((each) => {
    const count = seen.get(each) ?? 0;
    seen.set(each, count + 1);
    return count === 0 ? each : `${each}-${count}`;
  });
}
