/** The environment variables of a process; a test passes its own. */
export type Environment = Readonly<Record<string, string | undefined>>;
