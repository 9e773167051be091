/** How money comes and goes, in the contract's words. */
export const METHODS = ["on_chain", "inter_user"] as const;
export type Method = (typeof METHODS)[number];
