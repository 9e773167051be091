/** How many sub-accounts and keys there may be. Source: domain 6.3. */
import { KEYS_PER_USER_MAX } from "../../../engine/accounts/commands.ts";
import { SUBS_PER_MAIN_MAX } from "../../../engine/subs/commands.ts";
import type { FigureSource } from "../../reading/figures.ts";

export const SUB_FIGURES: Readonly<Record<string, FigureSource>> = {
  too_many_sub_accounts: () => ({ most: SUBS_PER_MAIN_MAX }),
  too_many_api_keys: () => ({ most: KEYS_PER_USER_MAX }),
};
