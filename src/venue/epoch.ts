import type { BeginEpoch, StateMark } from "../engine/command.ts";
import { Engine, refusalIn } from "../engine/engine.ts";
import { RULES_VERSION } from "../engine/rules-version.ts";
import { loadSnapshot, takeSnapshot } from "../engine/snapshot.ts";
import type { RecoveryReport } from "../log/recovery.ts";
import { markOf } from "./machine.ts";
import type { Sequencer } from "./sequencer.ts";

/**
 * Lets this program's rules hold from here on, when the log is new or ends under older ones: a command of the log, with the
 * state hash before and after. Gives it when it is applied; undefined when there was nothing to begin. To be called before
 * anybody else submits.
 */
export async function beginEpochWhenDue(
  engine: Engine,
  sequencer: Sequencer,
  recovery: RecoveryReport | undefined,
): Promise<BeginEpoch | undefined> {
  const { state } = engine;
  if (state.seq > 0 && state.rulesVersion >= RULES_VERSION) return undefined;
  const before = markBefore(engine, recovery);
  const epoch = { kind: "begin_epoch", rulesVersion: RULES_VERSION, before } as const;
  // What comes of it is tried on a copy, so that the command can say it.
  const copy = new Engine();
  loadSnapshot(copy.state, takeSnapshot(state), state.seq, state.timeMs);
  copy.execute({ ...epoch, after: before }, { seq: state.seq + 1, timeMs: state.timeMs });
  const command: BeginEpoch = { ...epoch, after: markOf(copy) };
  const refusal = await sequencer.ask(command, refusalIn);
  if (refusal !== undefined) throw new Error(`The epoch of rules version ${RULES_VERSION} was refused: ${refusal}.`);
  return command;
}

/** The state as the program before left it: as its own last snapshot says, where nothing came after that. */
function markBefore(engine: Engine, recovery: RecoveryReport | undefined): StateMark {
  const snapshot = recovery?.snapshot;
  if (snapshot === undefined || snapshot.seq < engine.state.seq) return markOf(engine);
  return { hash: snapshot.stateHash, form: snapshot.form };
}
