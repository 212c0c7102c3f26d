import { separator, type TextFormat } from "./format.ts";

/**
 * Slack's mrkdwn. Only `&`, `<`, and `>` can be escaped in it. All mentions and links need angle brackets, as long as the
 * text is sent as "verbatim". Formatting characters work at the edges of words, so a separator goes beside those.
 */
export const slackFormat: TextFormat = { escape, link };

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu, `${separator}$&${separator}`)
    .replaceAll(/:(?=[\w'+-]+:)/g, `:${separator}`)
    .replaceAll(/^&gt;/gm, `${separator}&gt;`);
}

function link(url: string): string {
  return url.replaceAll("&", "&amp;").replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll("|", "%7C");
}
