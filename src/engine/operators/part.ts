import { accepted } from "../answer.ts";
import { part } from "../part.ts";
import { decide, propose } from "./approvals.ts";
import { OPERATOR_SCHEMAS } from "./command-schemas.ts";
import {
  changeOperator,
  createOperator,
  deleteOperator,
  enrolOperator,
  reopenAuthority,
  resetOperator,
} from "./commands.ts";
import { setFourEyes } from "./four-eyes.ts";
import { checkOperators } from "./operator-invariants.ts";
import { operatorsSection } from "./operators-section.ts";
import { addOperatorPasskey, removeOperatorPasskey, useOperatorPasskey } from "./passkeys.ts";

/** Those who run the venue: who they are, how much they may move, and what takes two of them. */
export const operators = part({
  name: "operators",
  commandSchemas: OPERATOR_SCHEMAS,
  commands: {
    create_operator: createOperator,
    change_operator: changeOperator,
    reset_operator: resetOperator,
    enrol_operator: enrolOperator,
    add_operator_passkey: addOperatorPasskey,
    remove_operator_passkey: removeOperatorPasskey,
    use_operator_passkey: useOperatorPasskey,
    delete_operator: deleteOperator,
    set_four_eyes: setFourEyes,
    reopen_authority: reopenAuthority,
    propose,
    decide,
    note: () => accepted({}),
  },
  sections: [operatorsSection],
  check: checkOperators,
});
