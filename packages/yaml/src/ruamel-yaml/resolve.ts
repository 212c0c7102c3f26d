const standard = "tag:yaml.org,2002:";

/** The tags that have a meaning here. */
export const tags = {
  string: "tag:yaml.org,2002:str",
  null: "tag:yaml.org,2002:null",
  bool: "tag:yaml.org,2002:bool",
  int: "tag:yaml.org,2002:int",
  float: "tag:yaml.org,2002:float",
  timestamp: "tag:yaml.org,2002:timestamp",
  merge: "tag:yaml.org,2002:merge",
  value: "tag:yaml.org,2002:value",
  binary: "tag:yaml.org,2002:binary",
  sequence: "tag:yaml.org,2002:seq",
  mapping: "tag:yaml.org,2002:map",
  set: "tag:yaml.org,2002:set",
  omap: "tag:yaml.org,2002:omap",
  pairs: "tag:yaml.org,2002:pairs",
} as const;

const named: ReadonlySet<string> = new Set(
  ["null", "bool", "int", "float", "binary", "timestamp"].concat([
    "omap",
    "pairs",
    "set",
    "str",
    "seq",
    "map",
  ]),
);

/** The tag for a handle and a suffix in the file; all except the well-known ones stay as written. */
export function expandTag(handle: string | undefined, suffix: string): string {
  return handle === "!!" && named.has(suffix) ? standard + suffix : (handle ?? "") + suffix;
}

/** True if the tag is one of YAML's own, whether or not it's supported here. */
export function isStandardTag(tag: string): boolean {
  return tag.startsWith(standard);
}

/** The full form of a tag that's written with `!!`. */
export function inFull(tag: string): string {
  return tag.startsWith("!!") ? standard + tag.slice(2) : tag;
}

const bool12 = /^(?:true|True|TRUE|false|False|FALSE)$/;
const bool11 = /^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const float12 =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const float11 =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const int12 = /^(?:[-+]?0b[0-1_]+|[-+]?0o?[0-7_]+|[-+]?[0-9_]+|[-+]?0x[0-9a-fA-F_]+)$/;
const int11 =
  /^(?:[-+]?0b[0-1_]+|[-+]?0?[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const nothing = /^(?:~|null|Null|NULL)$/;
const timestamp =
  /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$/;

/**
 * The tag that a plain scalar has because of its text: a number, a Boolean, null, a time, or a string. The first
 * character determines what to try.
 */
export function resolvePlain(text: string, version11: boolean): string {
  switch (text.charAt(0)) {
    case "":
      return tags.null;
    case "-":
    case "+":
    case ".":
    case "0":
    case "1":
    case "2":
    case "3":
    case "4":
    case "5":
    case "6":
    case "7":
    case "8":
    case "9":
      return resolveNumber(text, version11);
    case "=":
      return text === "=" ? tags.value : tags.string;
    case "<":
      return text === "<<" ? tags.merge : tags.string;
    case "~":
    case "n":
    case "N":
      return nothing.test(text) ? tags.null : resolveBool(text, version11);
    default:
      return resolveBool(text, version11);
  }
}

function resolveBool(text: string, version11: boolean): string {
  return text.length <= 5 && (version11 ? bool11 : bool12).test(text) ? tags.bool : tags.string;
}

function resolveNumber(text: string, version11: boolean): string {
  if ((version11 ? float11 : float12).test(text)) {
    return tags.float;
  }
  if (!text.startsWith(".") && (version11 ? int11 : int12).test(text)) {
    return tags.int;
  }
  return timestamp.test(text) ? tags.timestamp : tags.string;
}
