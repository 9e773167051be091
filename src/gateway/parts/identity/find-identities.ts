/** Finds users by the e-mail address that they sign in with. */
import { identities } from "../../../engine/identity/identities.ts";
import type { Finder } from "../../admin/search.ts";
import { userFound } from "../accounts/find-users.ts";

export const findIdentities: Finder = ({ state }, text) => {
  const found = identities.of(state).withEmail(text.toLowerCase());
  return found === undefined ? [] : [userFound(state, found.userId, `signs in as ${found.email}`)];
};
