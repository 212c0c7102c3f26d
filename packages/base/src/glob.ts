/**
 * True if the whole `text` matches `pattern`, in which `*` stands for any number of characters and nothing else is
 * special. The empty pattern matches only the empty text. Like github.com/ryanuber/go-glob, but in linear time.
 */
export function globMatches(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) {
    return text === pattern;
  }
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) {
    return false;
  }
  return holdsInOrder(text.slice(first.length, text.length - last.length), parts.slice(1, -1));
}

function holdsInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) {
      return false;
    }
    from = at + part.length;
  }
  return true;
}
