import { KeyServiceError } from "./errors.ts";

/** The parts of a key's ARN that a request needs. */
export interface KmsArn {
  readonly region: string;
  readonly isAlias: boolean;
}

const pattern = /^arn:aws[\w-]*:kms:([a-z]{2,8}(?:-[a-z0-9]{1,20}){2,4}):\d+:(key|alias)\/[\w/-]+$/;

/**
 * Parses the ARN of a key. The region becomes part of a host name, so it must have the form of one. Throws
 * KeyServiceError.
 */
export function parseKmsArn(arn: string): KmsArn {
  const [, region, resource] = pattern.exec(arn) ?? [];
  if (region === undefined) {
    throw new KeyServiceError(
      "this isn't the ARN of a key in AWS KMS, such as arn:aws:kms:eu-west-1:111122223333:key/<id>; correct the file's sops metadata",
    );
  }
  return { region, isAlias: resource === "alias" };
}
