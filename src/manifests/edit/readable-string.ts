import { checkSource, decodeYaml, isYamlObject, namedEntriesOf, YamlError } from "@weir/yaml/go-yaml";
import {
  type Mapping,
  MappingValue,
  newString,
  type ScalarStyle,
  type ScalarValue,
  stringIdentity,
  tags,
  writeStream,
} from "@weir/yaml/ruamel-yaml";

/** The kind of mapping that a string stands in: one within braces, or one on lines of its own. */
export type Place = "flow" | "block";

/** How a string may be written, from the least change to what holds any text. */
const fallbacks: readonly ScalarStyle[] = ["'", '"'];

/**
 * A string in the style wanted, if kubectl reads it back as that very string, else in quotes. What is written
 * follows YAML 1.2, what reads it YAML 1.1: there `no` is a boolean, and an object with such an annotation cannot
 * be applied. It reads back in each of the `places` where it may come to stand.
 */
export function readableString(text: string, wanted: ScalarStyle, places: readonly Place[]): ScalarValue {
  const styles = [wanted, ...fallbacks].filter((style) => style !== ">" || mayBeFolded(text));
  const written = styles.map((style) => newString(text, style));
  return written.find((value) => readsBack(value, places)) ?? newString(text, '"');
}

/**
 * Whether a text can stand in a `>` scalar at any depth. The writer folds wide lines at single spaces, and YAML joins them
 * again, except lines that begin with white space, of which the text would get more. How deep the string stands decides
 * which lines are wide, so reading it back at one depth doesn't show it.
 */
function mayBeFolded(text: string): boolean {
  return !/(?:^|[\n\x85\u2028\u2029])[ \t]| \t/.test(text);
}

/** Whichever version of YAML the document asks for. */
function readsBack(value: ScalarValue, places: readonly Place[]): boolean {
  return places.every((place) => [false, true].every((version11) => readsBackIn(value, place, version11)));
}

/** Writes it with something after it, and reads that as kubectl does. */
function readsBackIn(value: ScalarValue, place: Place, version11: boolean): boolean {
  const mapping: Mapping = new MappingValue(tags.mapping);
  mapping.flow = place === "flow";
  mapping.set(stringIdentity("value"), newString("value"), value);
  mapping.set(stringIdentity("after"), newString("after"), newString("x"));
  const document = { root: mapping, start: 0, end: 0, version11, hasAnchors: false };
  const [first, second] = tryDecode(writeStream([document], value.text.length)) ?? [];
  return first?.[1] === value.text && second?.[1] === "x";
}

function tryDecode(text: string): ReturnType<typeof namedEntriesOf> | undefined {
  try {
    const [first, ...others] = Array.from(decodeYaml(checkSource(text)), ({ value }) => value);
    return first !== undefined && others.length === 0 && isYamlObject(first)
      ? namedEntriesOf(first)
      : undefined;
  } catch (error) {
    if (error instanceof YamlError) {
      return undefined;
    }
    throw error;
  }
}
