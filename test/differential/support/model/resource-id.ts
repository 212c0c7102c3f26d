/** The ID that Flux reads in a text, undefined for what is none. pkg/resource/id.go, ParseID. */
export function readId(text: string): string | undefined {
  const colon = text.indexOf(":");
  const slash = text.indexOf("/");
  if (colon >= 0 && colon < slash) {
    const [namespace, kind, name] = [
      text.slice(0, colon),
      text.slice(colon + 1, slash),
      text.slice(slash + 1),
    ];
    const isOne = (namespace === "<cluster>" || isWord(namespace)) && isWord(kind) && isName(name);
    return isOne ? `${namespace}:${kind.toLowerCase()}/${name}` : undefined;
  }
  const [namespace = "", name = "", ...more] = text.split("/");
  return more.length === 0 && isWord(namespace) && isWord(name) ? text : undefined;
}

/** The ID that fluxctl reads in an argument: a namespace is filled in, the old form is not known. */
export function readArgumentId(namespace: string, text: string): string | undefined {
  if (text.includes(":") && text.indexOf(":") < text.indexOf("/")) {
    return readId(text);
  }
  const slash = text.indexOf("/");
  const [kind, name] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  return isWord(kind) && isName(name) ? `${namespace}:${kind.toLowerCase()}/${name}` : undefined;
}

function isWord(text: string): boolean {
  return text !== "" && !/[^a-z0-9_-]/i.test(text);
}

function isName(text: string): boolean {
  return text !== "" && !/[^a-z0-9_.:-]/i.test(text);
}
