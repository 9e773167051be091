import { part } from "../part.ts";
import { SIMULATED_CHAIN_SCHEMAS } from "./command-schemas.ts";
import {
  broadcastSimulated,
  mineBlocks,
  reorganiseChain,
  simulateTransaction,
  startSimulatedChain,
} from "./commands.ts";
import { checkSimulatedChains } from "./invariants.ts";
import { simulatedChainSection } from "./section.ts";

/** Chains in the box: the outside world of a venue that is connected to none. */
export const simulatedChain = part({
  name: "simulated chain",
  commandSchemas: SIMULATED_CHAIN_SCHEMAS,
  commands: {
    start_simulated_chain: startSimulatedChain,
    simulate_transaction: simulateTransaction,
    broadcast_simulated: broadcastSimulated,
    mine_blocks: mineBlocks,
    reorganise_chain: reorganiseChain,
  },
  sections: [simulatedChainSection],
  check: checkSimulatedChains,
});
