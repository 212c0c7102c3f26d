/** One challenge of a WWW-Authenticate header: how a registry wants clients to authenticate. Pure. */
export interface Challenge {
  /** In lower case: "bearer", "basic". */
  readonly scheme: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const scheme = new RegExp(`\\s*,?\\s*(${token})(?=\\s|,|$)`, "y");
const parameter = new RegExp(`\\s*,?\\s*(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`, "y");

/** Parses a header with one or several challenges (RFC 9110, 11.6.1). Stops at the first one that it can't parse. */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: Challenge[] = [];
  for (let at = 0; at < header.length; ) {
    scheme.lastIndex = at;
    const name = scheme.exec(header)?.[1];
    if (name === undefined) {
      break;
    }
    const { parameters, end } = readParameters(header, scheme.lastIndex);
    challenges.push({ scheme: name.toLowerCase(), parameters });
    at = end;
  }
  return challenges;
}

function readParameters(
  header: string,
  start: number,
): { readonly parameters: ReadonlyMap<string, string>; readonly end: number } {
  const parameters = new Map<string, string>();
  let end = start;
  for (;;) {
    parameter.lastIndex = end;
    const [, name, quoted, plain] = parameter.exec(header) ?? [];
    if (name === undefined) {
      return { parameters, end };
    }
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "");
    end = parameter.lastIndex;
  }
}
