/** The files that are encrypted and decrypted with the real sops. */

/** A file, and how to encrypt it. */
export interface Input {
  readonly name: string;
  /** The extension, from which sops concludes the format. */
  readonly extension: "yaml" | "json" | "env" | "ini" | "bin";
  readonly content: string | Uint8Array;
  /** Arguments of `sops encrypt`; without, the file is encrypted for the age key. */
  readonly arguments?: readonly string[];
  /** The creation rule, as YAML. By default, it names the age key. */
  readonly rule?: string;
}

/** The test keys. `record.ts` replaces these names with recipients and fingerprints. */
const age = ["--age=AGE"];
const pgp = ["--pgp=RSA"];
const ec = ["--pgp=EC"];

const secret = `apiVersion: v1
kind: Secret
metadata:
  name: s
  namespace: default
stringData:
  password: hunter2
  user: admin
`;

const workload = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: encrypted
  namespace: default
spec:
  selector:
    matchLabels:
      name: encrypted
  template:
    metadata:
      labels:
        name: encrypted
    spec:
      containers:
      - name: main
        image: example.test/app:1
        env:
        - name: PASSWORD
          value: hunter2
`;

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  "yes": "no"
  "n": "1"
  "on": off
  empty: ""
`;

const comments = `# at the top
# two lines

# before the first key
a: 1
# before b
b: two # after b
list:
  # before the first item
  - one
  # before the second item
  - two # after two
  - x: 1
    # inside an item
    y: 2
  # at the end of the list
# before nested
nested: # after nested
  # before inner
  inner: value
  # at the end of nested

# before last
last: end
# at the very end
`;

const texts = `plain: text
quoted: "a: b"
single: 'it''s'
colon: "a:b"
hash: "a #b"
dash: "- a"
question: "? a"
spaces: " both "
tab: "a\\tb"
multi: |
  first
  second
kept: |+
  first

stripped: |-
  first
  second
folded: >
  some words
  more words

  new paragraph
indented: |2
    four spaces
  two
leadingbreak: "\\nfirst\\nsecond"
onlybreak: "\\n"
trailing: "a \\nb"
crlf: "a\\r\\nb"
tabs: "a\\tb\\nc"
escape: "\\e[0m"
null_text: "null"
tilde: "~"
true_text: "true"
old_bool: "yes"
number_text: "123"
octal_text: "0777"
float_text: "1.5"
date_text: "2001-12-14"
time_text: "12:30:45"
merge_text: "<<"
long: ${"lorem ipsum dolor sit amet ".repeat(12).trim()}
at: "@a"
backtick: "\`a"
percent: "%a"
braces: "{a}"
brackets: "[a]"
ampersand: "&a"
star: "*a"
bang: "!a"
pipe: "|a"
greater: ">a"
comma: ",a"
document: "--- a"
dots: "..."
equal: "="
`;

const unicode = `umlauts: äöü ÄÖÜ ß
japanese: 日本語
emoji: "😀 smile"
combining: "e\u0301"
nbsp: "a\u00a0b"
separator: "a\u2028b\u2029c"
nextline: "a\\Nb"
mark: "\ufeffmark"
rtl: "שלום"
private: "\ue000"
"schlüssel": wert
"日本": value
"😀": face
`;

const numbers = `zero: 0
one: 1
negative: -17
large: 9223372036854775807
smallest: -9223372036854775808
hex: 0x1F
octal: 0o17
oldoctal: 0777
binary: 0b101
underscores: 1_000_000
float: 1.5
whole: 2.0
exponent: 1e3
small: 1.5e-7
big: 1.7976931348623157e+308
plus: +5
point: .5
negative_zero: -0.0
many: 3.141592653589793
million: 1234567.0
yes1: true
t: True
f: FALSE
no: no
null1: null
null2: ~
null3:
`;

const lists = `empty: []
empty_map: {}
flow: [1, two, {a: b}]
flow_map: {a: 1, b: [x, y]}
nested:
  - - a
    - b
  - - - deep
  - []
  - {}
maps:
  - a: 1
    b:
      - x
      - y: 2
        z: 3
  - c: |
      text
      in a list
- not: here
`.replace("- not: here\n", "");

const listTexts = `items:
- "first\\nsecond"
- " leading"
- |
  literal
- deep:
    text: |
      one
      two
- ""
- null
- true
- 1.5
`;

const longKeys = `${"k".repeat(128)}: 128 characters
${"m".repeat(129)}: 129 characters
"a\\nb": key with a line break
"with: colon": 1
"": empty key
" space": 2
"123": digits
"true": word
"a.b/c-d_e": ok
? complex
: value
`;

const anchors = `base: &base
  a: 1
  b: two
copy: *base
merged:
  <<: *base
  c: three
text: &t shared
again: *t
list: &l [x, y]
lists: [*l, *l]
`;

const twoDocuments = `${secret}---\n${configMap}---\n# only here\nkind: List\nitems:\n- a\n- b: c\n`;

const regexComments = `plain: text
# sops:enc
secret: value
group:
  # sops:enc
  # more
  inner: hidden
  open: shown
list:
  # sops:enc
  - hidden
  - shown
`;

const json = `{
  "string": "text", "number": 1, "float": 1.25, "large": 12345678901234567890, "exponent": 1e21, "small": 1e-7,
  "true": true, "false": false, "null": null, "empty": "", "array": [1, "two", [3], {"four": 5}, []], "object": {},
  "nested": {"10": "ten", "2": "two", "a": {"b": "c"}},
  "escapes": "<a href=\\"x\\">&amp;</a>\\u2028\\n\\t\\u0007\\b\\f\\\\ / ü 😀",
  "data_unencrypted": "shown"
}
`;

const env = `# a comment
NAME=value
EMPTY=
SPACES= two words 
QUOTED="in quotes"
EQUALS=a=b=c
HASH=a#b
UMLAUT=grüße
LINES=one\\ntwo
export OTHER=x

LAST=end
`;

const ini = `; before the section
[section]
; before key
key = value
long_name = another value
quoted = "in quotes"
hash = \`a#b\`
empty =
# another comment
number = 1.5

[second section]
a = 1

[empty]
`;

const iniDefault = `global = 1
other : two

[a]
x = \`y;z\`
path = C:\\dir\\file
`;

const secretRule = ["--encrypted-regex=^(data|stringData)$"];

function bigFile(): string {
  return Array.from(
    { length: 600 },
    (_, index) => `key${index}: value of ${index} ${"x".repeat(index % 90)}\n`,
  ).join("");
}

function allBytes(): Uint8Array {
  return Uint8Array.from({ length: 1_024 }, (_, index) => index % 256);
}

const groups = `key_groups:
- age: [AGE]
- pgp: [RSA]
- pgp: [EC]
`;

export const inputs: readonly Input[] = [
  { name: "a Secret with PGP", extension: "yaml", content: secret, arguments: [...pgp, ...secretRule] },
  {
    name: "a Secret with a PGP key on Curve25519",
    extension: "yaml",
    content: secret,
    arguments: [...ec, ...secretRule],
  },
  { name: "a Secret with age", extension: "yaml", content: secret, arguments: [...age, ...secretRule] },
  {
    name: "a Secret for age and PGP",
    extension: "yaml",
    content: secret,
    arguments: [...age, ...pgp, ...secretRule],
  },
  { name: "everything encrypted", extension: "yaml", content: configMap },
  { name: "several documents", extension: "yaml", content: twoDocuments },
  {
    name: "several documents with a regex",
    extension: "yaml",
    content: twoDocuments,
    arguments: [...age, ...secretRule],
  },
  { name: "comments", extension: "yaml", content: comments },
  {
    name: "comments that aren't encrypted",
    extension: "yaml",
    content: comments,
    arguments: [...age, "--encrypted-regex=^none$"],
  },
  { name: "comments with PGP", extension: "yaml", content: comments, arguments: pgp },
  { name: "texts", extension: "yaml", content: texts },
  {
    name: "texts that aren't encrypted",
    extension: "yaml",
    content: texts,
    arguments: [...age, "--encrypted-suffix=_none"],
  },
  { name: "unicode", extension: "yaml", content: unicode },
  {
    name: "unicode that isn't encrypted",
    extension: "yaml",
    content: unicode,
    arguments: [...age, "--encrypted-suffix=_none"],
  },
  { name: "numbers", extension: "yaml", content: numbers },
  {
    name: "numbers that aren't encrypted",
    extension: "yaml",
    content: numbers,
    arguments: [...age, "--encrypted-suffix=_none"],
  },
  { name: "lists and mappings", extension: "yaml", content: lists },
  {
    name: "lists that aren't encrypted",
    extension: "yaml",
    content: lists,
    arguments: [...age, "--encrypted-suffix=_none"],
  },
  { name: "texts in lists", extension: "yaml", content: listTexts },
  { name: "keys", extension: "yaml", content: longKeys },
  { name: "anchors", extension: "yaml", content: anchors },
  {
    name: "anchors that aren't encrypted",
    extension: "yaml",
    content: anchors,
    arguments: [...age, "--encrypted-suffix=_none"],
  },
  {
    name: "dates that aren't encrypted",
    extension: "yaml",
    content:
      "date: 2001-12-14\ntime: 2001-12-14T21:59:43.10-05:00\nspace: 2001-12-14 21:59:43.5\nshort: 2001-1-2\nb_enc: x\n",
    arguments: [...age, "--encrypted-suffix=_enc"],
  },
  { name: "dates", extension: "yaml", content: "date: 2001-12-14\ntime: 2001-12-14T21:59:43Z\n" },
  {
    name: "an unencrypted suffix",
    extension: "yaml",
    content: "a: 1\nb_open: 2\nc_open:\n  d: 3\n  e: [4]\n",
    arguments: [...age, "--unencrypted-suffix=_open"],
  },
  {
    name: "the usual unencrypted suffix",
    extension: "yaml",
    content: "a: 1\nb_unencrypted: 2\n# note\nc_unencrypted:\n  d: 3\n",
  },
  {
    name: "an encrypted suffix",
    extension: "yaml",
    content: "a: 1\nb_secret: 2\nc_secret:\n  d: 3\n",
    arguments: [...age, "--encrypted-suffix=_secret"],
  },
  {
    name: "an unencrypted regex",
    extension: "yaml",
    content: secret,
    arguments: [...age, "--unencrypted-regex=^(apiVersion|kind|metadata)$"],
  },
  {
    name: "an encrypted regex with Go's syntax",
    extension: "yaml",
    content: secret,
    arguments: [...age, "--encrypted-regex=(?i)^STRING\\pL+$"],
  },
  {
    name: "an encrypted comment regex",
    extension: "yaml",
    content: regexComments,
    rule: "age: AGE\nencrypted_comment_regex: sops:enc\n",
  },
  {
    name: "an unencrypted comment regex",
    extension: "yaml",
    content: regexComments,
    rule: "age: AGE\nunencrypted_comment_regex: sops:enc\n",
  },
  {
    name: "a MAC of encrypted values only",
    extension: "yaml",
    content: secret,
    rule: "age: AGE\nencrypted_regex: ^(data|stringData)$\nmac_only_encrypted: true\n",
  },
  { name: "an empty document", extension: "yaml", content: "---\n" },
  { name: "an empty mapping", extension: "yaml", content: "{}\n" },
  { name: "empty documents among others", extension: "yaml", content: "---\n---\na: 1\n---\n" },
  { name: "a document with only a comment", extension: "yaml", content: "# nothing else\na:\n" },
  {
    name: "two of three groups",
    extension: "yaml",
    content: secret,
    rule: groups,
    arguments: ["--shamir-secret-sharing-threshold=2"],
  },
  {
    name: "all of three groups",
    extension: "yaml",
    content: secret,
    rule: groups,
    arguments: ["--shamir-secret-sharing-threshold=3"],
  },
  { name: "a big file", extension: "yaml", content: bigFile() },
  { name: "text that ends with line breaks", extension: "yaml", content: 'a: x\nend: "one\\n\\n"\n' },
  {
    name: "a workload",
    extension: "yaml",
    content: workload,
    arguments: [...pgp, "--encrypted-regex=^env$"],
  },
  {
    name: "a workload with a MAC of encrypted values only",
    extension: "yaml",
    content: workload.replaceAll("encrypted", "half"),
    rule: "age: AGE\nencrypted_regex: ^env$\nmac_only_encrypted: true\n",
  },
  {
    name: "a ConfigMap for a lost key",
    extension: "yaml",
    content: configMap,
    arguments: ["--age=age16esfkfmzvs9p4u6klgyx5a00j5xencrjw6e4yhsqhd69kxwy453qf8kzqx"],
  },
  { name: "JSON", extension: "json", content: json },
  {
    name: "JSON that isn't encrypted",
    extension: "json",
    content: json,
    arguments: [...age, "--encrypted-suffix=_none"],
  },
  { name: "JSON with PGP", extension: "json", content: json, arguments: pgp },
  {
    name: "JSON in groups",
    extension: "json",
    content: json,
    rule: groups,
    arguments: ["--shamir-secret-sharing-threshold=2"],
  },
  { name: "an empty JSON object", extension: "json", content: "{}" },
  { name: "env", extension: "env", content: env },
  { name: "env with PGP", extension: "env", content: env, arguments: pgp },
  {
    name: "env in groups",
    extension: "env",
    content: env,
    rule: groups,
    arguments: ["--shamir-secret-sharing-threshold=2"],
  },
  {
    name: "env that isn't encrypted",
    extension: "env",
    content: env,
    rule: "age: AGE\nencrypted_suffix: _none\nmac_only_encrypted: true\n",
  },
  { name: "ini", extension: "ini", content: ini },
  { name: "ini with PGP", extension: "ini", content: ini, arguments: pgp },
  {
    name: "ini in groups",
    extension: "ini",
    content: ini,
    rule: groups,
    arguments: ["--shamir-secret-sharing-threshold=2"],
  },
  { name: "ini with keys before the first section", extension: "ini", content: iniDefault },
  { name: "binary", extension: "bin", content: allBytes() },
  { name: "binary with PGP", extension: "bin", content: "just text\n", arguments: pgp },
  { name: "an empty binary file", extension: "bin", content: "" },
];
