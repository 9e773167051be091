import { part } from "../part.ts";
import "./events.ts";
import { checkAccounts } from "./account-invariants.ts";
import { accountsSection } from "./accounts-section.ts";
import { ACCOUNT_SCHEMAS } from "./command-schemas.ts";
import { changeUser, createApiKey, createUser, deleteApiKey, resealApiKeys } from "./commands.ts";
import { deleteFeeLevel, setFeeLevel } from "./fee-level.ts";

/** Users, their fee levels and their keys. */
export const accounts = part({
  name: "accounts",
  commandSchemas: ACCOUNT_SCHEMAS,
  commands: {
    create_user: createUser,
    change_user: changeUser,
    set_fee_level: setFeeLevel,
    delete_fee_level: deleteFeeLevel,
    create_api_key: createApiKey,
    reseal_api_keys: resealApiKeys,
    delete_api_key: deleteApiKey,
  },
  sections: [accountsSection],
  check: checkAccounts,
});
