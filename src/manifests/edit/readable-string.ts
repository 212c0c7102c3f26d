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

/** The kind of mapping that contains a string: inside braces, or on separate lines. */
export type Place = "flow" | "block";

/** The styles to fall back to, from the smallest change to the one that can represent any text. */
const fallbacks: readonly ScalarStyle[] = ["'", '"'];

/**
 * Prints a string in the given style if kubectl reads it back as the same string, and in quotes otherwise. Output
 * follows YAML 1.2, but readers follow YAML 1.1, where `no` is a Boolean, and an object with such an annotation can't
 * be applied. The string reads back in each of the `places` where it may end up.
 */
export function readableString(text: string, wanted: ScalarStyle, places: readonly Place[]): ScalarValue {
  const styles = [wanted, ...fallbacks].filter((style) => style !== ">" || mayBeFolded(text));
  const written = styles.map((style) => newString(text, style));
  return written.find((value) => readsBack(value, places)) ?? newString(text, '"');
}

/**
 * Whether a text can stand in a `>` scalar at any depth. The writer folds wide lines at single spaces. YAML joins them
 * again, except lines that begin with white space: there, each fold is read as a line break. The depth of the string
 * decides which lines are wide, so reading it back at one depth doesn't reveal that.
 */
function mayBeFolded(text: string): boolean {
  return !/(?:^|[\n\x85\u2028\u2029])[ \t]| \t/.test(text);
}

/** Whichever YAML version the document declares. */
function readsBack(value: ScalarValue, places: readonly Place[]): boolean {
  return places.every((place) => [false, true].every((version11) => readsBackIn(value, place, version11)));
}

/** Prints the string with something after it, and parses that as kubectl does. */
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
