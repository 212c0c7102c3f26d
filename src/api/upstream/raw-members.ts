/** A member of a JSON object as it stands in the text. */
export interface RawMember {
  readonly key: string;
  /** The text of the value, without white space around it. */
  readonly text: string;
}

/**
 * The members of an object whose text is known to be valid JSON, in their order, doubled keys included. For what
 * has to be given back as it came: a number may have more digits than a JavaScript number holds.
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

/** Past white space, commas and colons, which in valid JSON part the tokens. */
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

/** A number, true, false or null. */
function wordEnd(text: string, start: number): number {
  let at = start;
  while (/[\w+.-]/.test(text[at] ?? "")) {
    at += 1;
  }
  return at;
}
