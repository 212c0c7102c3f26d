/** A member of a JSON object, as it's written in the text. */
export interface RawMember {
  readonly key: string;
  /** The text of the value, without surrounding whitespace. */
  readonly text: string;
}

/**
 * The members of an object whose text is valid JSON, in order, including duplicate keys. For values that must
 * be returned unchanged: a number can have more digits than a JavaScript number holds.
 */
export function* rawMembers(object: string): Generator<RawMember> {
  let at = nextToken(object, object.indexOf("{") + 1);
  while (object[at] === '"') {
    const keyEnd = stringEnd(object, at);
    const key = JSON.parse(object.slice(at, keyEnd)) as string;
    const start = nextToken(object, keyEnd);
    const end = valueEnd(object, start);
    yield { key, text: object.slice(start, end) };
    at = nextToken(object, end);
  }
}

/** Skips whitespace, commas, and colons, which separate tokens in valid JSON. */
function nextToken(text: string, from: number): number {
  let at = from;
  while (/[\s,:]/.test(text[at] ?? "")) {
    at += 1;
  }
  return at;
}

function valueEnd(text: string, start: number): number {
  switch (text[start]) {
    case '"':
      return stringEnd(text, start);
    case "{":
    case "[":
      return containerEnd(text, start);
    default:
      return wordEnd(text, start);
  }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

function containerEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (character === "{" || character === "[") {
      depth += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
    }
    at += 1;
  } while (depth > 0 && at < text.length);
  return at;
}

/** The end of a number, true, false, or null. */
function wordEnd(text: string, start: number): number {
  let at = start;
  while (/[\w+.-]/.test(text[at] ?? "")) {
    at += 1;
  }
  return at;
}
