const ellipsis = "…";

/** The start of a text, with an ellipsis if it's longer than `limit` UTF-16 code units. Splits no character. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : `${startOf(text, limit - ellipsis.length)}${ellipsis}`;
}

/**
 * Does the same for text with markup. What is left of an escape, an entity, or a link in angle brackets at the end is
 * removed, because it could mean something else than the whole.
 */
export function cutMarkup(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const whole = startOf(text, limit - ellipsis.length)
    .replace(/<[^<>]*$/, "")
    .replace(/&[#\w]*$/, "")
    .replace(/(?<!\\)((?:\\\\)*)\\$/, "$1");
  return `${whole}${ellipsis}`;
}

/** Some names, and how many more there are. */
export function listSome(names: readonly string[], limit: number): string {
  const shown = names.slice(0, limit).join(", ");
  return names.length <= limit ? shown : `${shown}, and ${names.length - limit} more`;
}

function startOf(text: string, limit: number): string {
  const start = text.slice(0, Math.max(0, limit));
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}
