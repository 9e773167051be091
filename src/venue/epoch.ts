import type { BeginEpoch, StateMark } from "../engine/command.ts";
import { Engine, refusalIn } from "../engine/engine.ts";
import { NewerProgram } from "../engine/newer.ts";
import { RULES_VERSION } from "../engine/rules-version.ts";
import { loadSnapshot, takeSnapshot } from "../engine/snapshot.ts";
import { ReplayDiverged } from "../log/errors.ts";
import type { RecoveryReport } from "../log/recovery.ts";
import { markOf } from "./machine.ts";
import type { Sequencer } from "./sequencer.ts";

/**
 * Puts this program's rules in force from here on, when the log is new or ends under older ones: a command of the log,
 * with the state hash before and after. Gives it when it is applied; undefined when there was nothing to begin. To be
 * called before anybody else submits.
 */
export async function beginEpochWhenDue(
  engine: Engine,
  sequencer: Sequencer,
  recovery: RecoveryReport | undefined,
): Promise<BeginEpoch | undefined> {
  if (!isEpochDue(engine)) return undefined;
  const command = epochBehind(engine, markBefore(engine, recovery));
  const refusal = await sequencer.ask(command, refusalIn);
  if (refusal !== undefined) throw new Error(`The epoch of rules version ${RULES_VERSION} was refused: ${refusal}.`);
  return command;
}

/** Whether the log is new, or ends under older rules than this program's. */
export function isEpochDue({ state }: Engine): boolean {
  return state.seq === 0 || state.rulesVersion < RULES_VERSION;
}

/** The command that begins this program's rules right behind the engine's state. */
export function epochBehind(engine: Engine, before: StateMark = markOf(engine)): BeginEpoch {
  const { state } = engine;
  const epoch = { kind: "begin_epoch", rulesVersion: RULES_VERSION, before } as const;
  // What comes of it is tried on a copy, so that the command can say it.
  const copy = new Engine();
  loadSnapshot(copy.state, takeSnapshot(state), state.seq, state.timeMs);
  copy.execute({ ...epoch, after: before }, { seq: state.seq + 1, timeMs: state.timeMs });
  return { ...epoch, after: markOf(copy) };
}

/** Throws NewerProgram when another node began an epoch whose rules this program has not. */
export function refuseNewerRules({ rulesVersion }: BeginEpoch, seq: number): void {
  if (rulesVersion <= RULES_VERSION) return;
  throw new NewerProgram(`The log from seq ${seq} on`, {
    of: "rules version",
    found: rulesVersion,
    known: RULES_VERSION,
  });
}

/**
 * Throws ReplayDiverged when the state is not the one that an epoch records, where that was taken over the same form.
 */
export function refuseOtherState(engine: Engine, { hash, form }: StateMark, seq: number): void {
  const own = markOf(engine);
  if (own.form === form && own.hash !== hash)
    throw new ReplayDiverged(seq, "the epoch that begins there", hash, own.hash);
}

/** The state as the program before left it: as its own last snapshot says, where nothing came after that. */
function markBefore(engine: Engine, recovery: RecoveryReport | undefined): StateMark {
  const snapshot = recovery?.snapshot;
  if (snapshot === undefined || snapshot.seq < engine.state.seq) return markOf(engine);
  return { hash: snapshot.stateHash, form: snapshot.form };
}
