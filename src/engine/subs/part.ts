import { part } from "../part.ts";
import "./events.ts";
import { SUB_SCHEMAS } from "./command-schemas.ts";
import { changeSubAccount, createSubAccount, freezeSubAccount } from "./commands.ts";
import { changeSubApiKey, createSubApiKey, deleteSubApiKey } from "./key-commands.ts";
import { subTransfer } from "./sub-transfer.ts";
import { SubsAudit } from "./subs-audit.ts";
import { checkSubs } from "./subs-invariants.ts";
import { subsSection } from "./subs-section.ts";

/** Sub-accounts: users whom a main account makes, freezes, funds and gives keys. */
export const subs = part({
  name: "subs",
  commandSchemas: SUB_SCHEMAS,
  commands: {
    create_sub_account: createSubAccount,
    freeze_sub_account: freezeSubAccount,
    create_sub_api_key: createSubApiKey,
    change_sub_api_key: changeSubApiKey,
    delete_sub_api_key: deleteSubApiKey,
    sub_transfer: subTransfer,
    change_sub_account: changeSubAccount,
  },
  sections: [subsSection],
  check: checkSubs,
  audits: (state) => [new SubsAudit(state)],
});
