import { MalformedFileError } from "./errors.ts";
import type { KeyGroup, MasterKey } from "./master-key.ts";
import { rfc3339Pattern } from "./time.ts";
import { Branch, isList, SopsNumber, type TreeValue, textOf } from "./tree.ts";

/** The ways to say which values are encrypted. A file uses at most one. */
export const ruleNames = [
  "unencrypted_suffix",
  "encrypted_suffix",
  "unencrypted_regex",
  "encrypted_regex",
  "unencrypted_comment_regex",
  "encrypted_comment_regex",
] as const;

/** Which values are encrypted. */
export interface EncryptionRule {
  readonly name: (typeof ruleNames)[number];
  readonly pattern: string;
}

/** What sops wrote into the file about its encryption. */
export interface Metadata {
  readonly groups: readonly KeyGroup[];
  /** How many groups are needed; 0 if the file doesn't say. */
  readonly threshold: number;
  readonly rule: EncryptionRule;
  /** The MAC, encrypted. */
  readonly mac: string;
  /** The additional data of the MAC. */
  readonly lastModified: string;
  /** The MAC covers only encrypted values. */
  readonly macOnlyEncrypted: boolean;
}

/** Reads the metadata of a file. Throws MalformedFileError if it's incomplete or contradicts itself. */
export function readMetadata(metadata: Branch): Metadata {
  return {
    lastModified: readLastModified(metadata),
    groups: readGroups(metadata),
    threshold: readThreshold(metadata.get("shamir_threshold")),
    rule: readRule(metadata),
    mac: textOf(metadata.get("mac")),
    macOnlyEncrypted: metadata.get("mac_only_encrypted") === true,
  };
}

function readLastModified(metadata: Branch): string {
  const text = textOf(metadata.get("lastmodified"));
  if (!rfc3339Pattern.test(text)) {
    throw new MalformedFileError("the sops metadata has no valid lastmodified");
  }
  // Go prints the time zone +00:00 as Z, and no fractions of a second.
  return text.replace(/[.,][0-9]+/, "").replace(/[+-]00:00$/, "Z");
}

function readThreshold(value: TreeValue | undefined): number {
  const threshold = value instanceof SopsNumber || typeof value === "string" ? Number(textOf(value)) : 0;
  if (!Number.isSafeInteger(threshold) || threshold < 0) {
    throw new MalformedFileError("shamir_threshold is not an integer");
  }
  return threshold;
}

function readRule(metadata: Branch): EncryptionRule {
  const rules = ruleNames
    .map((name) => ({ name, pattern: textOf(metadata.get(name)) }))
    .filter(({ pattern }) => pattern !== "");
  const [rule = { name: "unencrypted_suffix" as const, pattern: "_unencrypted" }, ...others] = rules;
  if (others.length > 0) {
    throw new MalformedFileError(`the sops metadata has more than one of ${ruleNames.join(", ")}`);
  }
  return rule;
}

function readGroups(metadata: Branch): readonly KeyGroup[] {
  const group = readGroup(metadata);
  if (group.length > 0) {
    return [group];
  }
  const groups = branchesOf(metadata.get("key_groups")).map(readGroup);
  if (groups.length === 0) {
    throw new MalformedFileError("No keys found in file");
  }
  return groups;
}

function readGroup(group: Branch): KeyGroup {
  const keys = (type: MasterKey["type"]): readonly Branch[] => branchesOf(group.get(type));
  return [
    ...keys("kms").map(
      (key): MasterKey => ({
        type: "kms",
        arn: field(key, "arn"),
        role: optional(key, "role"),
        context: contextOf(key.get("context")),
        awsProfile: optional(key, "aws_profile"),
        encryptedDataKey: field(key, "enc"),
      }),
    ),
    ...keys("gcp_kms").map(
      (key): MasterKey => ({
        type: "gcp_kms",
        resourceId: field(key, "resource_id"),
        encryptedDataKey: field(key, "enc"),
      }),
    ),
    ...keys("azure_kv").map(
      (key): MasterKey => ({
        type: "azure_kv",
        vaultUrl: field(key, "vault_url"),
        name: field(key, "name"),
        version: field(key, "version"),
        encryptedDataKey: field(key, "enc"),
      }),
    ),
    ...keys("hc_vault").map(
      (key): MasterKey => ({
        type: "hc_vault",
        vaultAddress: field(key, "vault_address"),
        enginePath: field(key, "engine_path"),
        keyName: field(key, "key_name"),
        encryptedDataKey: field(key, "enc"),
      }),
    ),
    ...keys("pgp").map(
      (key): MasterKey => ({
        type: "pgp",
        fingerprint: field(key, "fp"),
        encryptedDataKey: field(key, "enc"),
      }),
    ),
    ...keys("age").map(
      (key): MasterKey => ({
        type: "age",
        recipient: field(key, "recipient"),
        encryptedDataKey: field(key, "enc"),
      }),
    ),
  ];
}

function field(key: Branch, name: string): string {
  return textOf(key.get(name));
}

function optional(key: Branch, name: string): string | undefined {
  const text = field(key, name);
  return text === "" ? undefined : text;
}

function contextOf(value: TreeValue | undefined): Readonly<Record<string, string>> {
  const items = value instanceof Branch ? value.items : [];
  return Object.fromEntries(
    items.flatMap(({ key, value: text }) => (typeof key === "string" ? [[key, textOf(text)]] : [])),
  );
}

function branchesOf(value: TreeValue | undefined): readonly Branch[] {
  return isList(value) ? value.filter((item) => item instanceof Branch) : [];
}
