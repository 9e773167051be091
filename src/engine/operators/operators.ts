import type { Role } from "./forms.ts";

/** Somebody who runs the venue. The operator `root`, whose token is a file, is not among them. */
export interface Operator {
  readonly name: string;
  role: Role;
  /** SHA-256 of the token, hexadecimal. */
  tokenHash: string;
  /** By currency, units a day; absent = no limits. Where there are limits, a currency without one may not be moved. */
  limits: Map<string, bigint> | undefined;
  /** The day that `spent` is of, counted from 1970 in UTC, and the units credited and adjusted on it. */
  day: number;
  spent: Map<string, bigint>;
  readonly createdAt: number;
}

/** A command that waits for the consent of another operator. */
export interface Approval {
  readonly approvalId: number;
  /** Who proposed it. */
  readonly actor: string;
  readonly command: ProposedCommand;
  readonly createdAt: number;
}

/** A command as it will be carried out, in the name of who proposed it. */
export interface ProposedCommand {
  readonly kind: string;
  readonly actor: string;
  readonly reference?: string | undefined;
}

/** What a reference stood for, and what came of it. */
export interface Referred {
  readonly content: string;
  readonly result: object;
}

/** Operators, what waits for their consent, and the references that outlive both. */
export class Operators {
  readonly byName = new Map<string, Operator>();
  readonly byTokenHash = new Map<string, Operator>();
  readonly approvals = new Map<number, Approval>();
  nextApprovalId = 1;
  /** By kind of command and reference, for ever: a retry may come after years. */
  readonly references = new Map<string, Referred>();

  enter(operator: Operator): void {
    this.byName.set(operator.name, operator);
    this.byTokenHash.set(operator.tokenHash, operator);
  }

  leave(operator: Operator): void {
    this.byName.delete(operator.name);
    this.byTokenHash.delete(operator.tokenHash);
  }

  setToken(operator: Operator, tokenHash: string): void {
    this.byTokenHash.delete(operator.tokenHash);
    operator.tokenHash = tokenHash;
    this.byTokenHash.set(tokenHash, operator);
  }
}
