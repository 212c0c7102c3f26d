/** Set when the bundles are made. */
declare const WEIR_VERSION: string | undefined;

/** The version of Weir; "unversioned" where it runs from its sources. */
export const version = typeof WEIR_VERSION === "string" ? WEIR_VERSION : "unversioned";
