/**
 * Who counts as a person when something takes two. Four eyes is in force from when bounds are set and an administrator
 * has enrolled. From then on only those ask for what takes two, and consent to it, whom two people have let in, and
 * those administrators who were there at that moment; besides them root, until a second administrator is vouched for.
 * Source: domain 7.3.
 */
import type { State } from "../state.ts";
import type { Role } from "./command-schemas.ts";
import type { Operator } from "./operators.ts";

/** The operator whose token is a file of the data directory: there from the beginning, an admin, and for ever. */
export const ROOT = "root";

/**
 * Names that the log gives to what acts without being an operator. Those of the dev profile, such as "market
 * simulation" or "user 3", hold a space, which no operator's name has.
 */
export const PROGRAM: ReadonlySet<string> = new Set(["admin", "guardian", "venue", "faults"]);

/**
 * An operator who was reset, or let in under four eyes, consents to nothing for so long: time for the others to notice.
 */
export const CONSENT_WAIT_MS = 24 * 3_600_000;

/** Who may move money, and who may consent. */
const CONSENTERS: ReadonlySet<Role> = new Set(["treasurer", "admin"]);

/** Whether a command comes from the program itself and not from a person. */
export function isProgram({ operators }: State, actor: string | undefined): boolean {
  if (actor === undefined) return true;
  return !operators.byName.has(actor) && (PROGRAM.has(actor) || actor.includes(" "));
}

/** Whether changes of who may do what take two people. */
export function isInForce({ operators }: State): boolean {
  return operators.isDual || (operators.bounds.size > 0 && enrolledAdmins(operators.byName.values()).length > 0);
}

/** Why somebody cannot ask for what takes two; undefined when he can. */
export function refuseAsker(state: State, actor: string): string | undefined {
  if (!isInForce(state)) return undefined;
  return refuseRoot(state, actor) ?? refuseStranger(state, actor);
}

/** Why somebody cannot consent; undefined when he can. */
export function refuseConsenter(state: State, actor: string): string | undefined {
  if (actor === ROOT) return refuseRoot(state, actor);
  const operator = state.operators.byName.get(actor);
  if (operator === undefined || operator.tokenHash === "") return `There is no operator ${actor} who could consent.`;
  if (!CONSENTERS.has(operator.role)) return `The role ${operator.role} of ${actor} does not allow to consent.`;
  if (state.timeMs < operator.consentsFrom) {
    return `${actor} was let in less than 24 hours ago, and may consent from ${operator.consentsFrom} on.`;
  }
  return isInForce(state) ? refuseStranger(state, actor) : undefined;
}

/** Whether the role of a person allows to move money, or to change who may do what. Undefined when it does. */
export function refuseRole(state: State, actor: string, needed: "money" | "change"): string | undefined {
  if (actor === ROOT) return undefined;
  const operator = state.operators.byName.get(actor);
  if (operator === undefined || operator.tokenHash === "") {
    return isInForce(state) ? `There is no operator ${actor}.` : undefined;
  }
  const { role } = operator;
  const may = needed === "money" ? CONSENTERS.has(role) : role === "admin";
  return may ? undefined : `The role ${role} of ${actor} does not allow this.`;
}

/** Vouches for the administrators who are there when four eyes begins, and notes when there are two of them. */
export function settleAuthority(state: State, wasInForce: boolean): void {
  const { operators } = state;
  if (!isInForce(state)) return;
  const admins = enrolledAdmins(operators.byName.values());
  if (!wasInForce) for (const admin of admins) admin.isVouched = true;
  if (admins.filter(({ isVouched }) => isVouched).length >= 2) operators.isDual = true;
}

/** Administrators of whom the venue knows that they are people of their own, without one of them. */
export function vouchedAdminsBut({ operators }: State, name: string): number {
  return enrolledAdmins(operators.byName.values()).filter((one) => one.isVouched && one.name !== name).length;
}

function enrolledAdmins(all: Iterable<Operator>): Operator[] {
  return [...all].filter(({ role, tokenHash }) => role === "admin" && tokenHash !== "");
}

function refuseRoot({ operators }: State, actor: string): string | undefined {
  if (actor !== ROOT || !operators.isDual) return undefined;
  return (
    "Since two administrators exist root neither asks for what takes two people nor consents to it: use a name of " +
    "your own."
  );
}

function refuseStranger({ operators }: State, actor: string): string | undefined {
  if (actor === ROOT || operators.byName.get(actor)?.isVouched === true) return undefined;
  return `Only one person has let ${actor} in: have two of them reset the operator, who then enrols again.`;
}
