/** Variables of the environment; only main.ts reads the real ones. */
export type Environment = Readonly<Record<string, string | undefined>>;
