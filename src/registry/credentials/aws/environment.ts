/** Variables of the environment. */
export type AwsEnvironment = Readonly<Record<string, string | undefined>>;
