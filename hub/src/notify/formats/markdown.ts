import { separator, type TextFormat } from "./format.ts";

/**
 * Markdown of GitHub and GitLab. Both look for mentions, references, and addresses in the text that is left after all
 * escapes have been resolved, so escapes don't prevent those, but separators do. Line breaks become `<br>`, so that no
 * line of a value can be a heading, a list, or a quick action such as `/close`.
 */
export const markdownFormat: TextFormat = { escape, link };

function escape(text: string): string {
  return text
    .trim()
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/[@#!$~%&](?=\S)/g, `$&${separator}`)
    .replaceAll(/:(?=\/\/)/g, `:${separator}`)
    .replaceAll(/(www|mailto|xmpp|GH)(?=[.:-])/gi, `$1${separator}`)
    .replaceAll(/\[(?=\S)/g, `[${separator}`)
    .replaceAll(/(?<![A-Za-z0-9])[\p{P}\p{S}]|[\p{P}\p{S}](?![A-Za-z0-9])|[^-._/,]/gu, escapePunctuation)
    .replaceAll(/ *\n+ */g, "<br>");
}

/** Only ASCII punctuation has a meaning, except commas, and only that can be escaped. */
function escapePunctuation(char: string): string {
  return /[!-+\--/:-@[-`{-~]/.test(char) ? `\\${char}` : char;
}

function link(url: string): string {
  return url
    .replaceAll(" ", "%20")
    .replaceAll("<", "%3C")
    .replaceAll(">", "%3E")
    .replaceAll("(", "%28")
    .replaceAll(")", "%29")
    .replaceAll("\\", "%5C");
}
