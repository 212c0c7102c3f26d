import type { TextFormat } from "./format.ts";

/**
 * Discord's Markdown, in which every punctuation character can be escaped. Escaped, none of them is part of formatting,
 * a mention, a link, a time, or an emoji. Those within words, such as in "my-app_1", have no meaning.
 */
export const discordFormat: TextFormat = { escape, link };

function escape(text: string): string {
  return text.replaceAll(
    /(?<![A-Za-z0-9])[!-+\--/:-@[-`{-~]|[!-+\--/:-@[-`{-~](?![A-Za-z0-9])|[!-+:-@[-^`{-~]/g,
    "\\$&",
  );
}

function link(url: string): string {
  return url.replaceAll(" ", "%20").replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("\\", "%5C");
}
