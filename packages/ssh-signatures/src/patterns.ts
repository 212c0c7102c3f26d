/** Longer patterns never match, as in OpenSSH. */
const maxPatternLength = 1022;

/** Whether a text matches a pattern in which `*` stands for any characters, and `?` for any single one. */
export function matchesPattern(text: string, pattern: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    if (pattern[next] === "*") {
      star = next;
      starAt = at;
      next++;
    } else if (next < pattern.length && (pattern[next] === "?" || pattern[next] === text[at])) {
      next++;
      at++;
    } else if (star !== -1) {
      // Let the last asterisk stand for one character more.
      starAt++;
      at = starAt;
      next = star + 1;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(next));
}

/**
 * Whether a text matches a list of patterns, separated by commas: one of them, and none of those that begin with an
 * exclamation mark. The details are those of OpenSSH.
 */
export function matchesPatternList(text: string, list: string): boolean {
  let found = false;
  for (const item of splitList(list)) {
    const negated = item.startsWith("!");
    const pattern = negated ? item.slice(1) : item;
    if (pattern.length > maxPatternLength) {
      return false;
    }
    if (matchesPattern(text, pattern)) {
      if (negated) {
        return false;
      }
      found = true;
    }
  }
  return found;
}

/** The items of a list. Nothing after the last comma is no item. */
function splitList(list: string): readonly string[] {
  const items = list.split(",");
  return items.at(-1) === "" ? items.slice(0, -1) : items;
}
