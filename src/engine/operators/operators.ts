import type { Passkey } from "../identity/passkeys.ts";
import type { Role } from "./command-schemas.ts";
import { MovedToday } from "./moved-today.ts";

/** Somebody who runs the venue. The operator `root`, whose token is a file, is not among them. */
export interface Operator {
  readonly name: string;
  role: Role;
  /** SHA-256 of the token, hexadecimal; empty while he has none. */
  tokenHash: string;
  /** His devices, which sign in to the console in the place of the token, and end with it. */
  passkeys: readonly Passkey[];
  /** The code that he enrols with; undefined once he has. */
  enrolment: Enrolment | undefined;
  /** Two people have let him in, or he is one of those who were there when four eyes began. */
  isVouched: boolean;
  /** ms, from when on he may consent. */
  consentsFrom: number;
  /** By currency, units a day; absent = no limits. Where there are limits, a currency without one may not be moved. */
  limits: Map<string, bigint> | undefined;
  /** The day that `spent` is of, counted from 1970 in UTC, and the units credited and adjusted on it. */
  day: number;
  spent: Map<string, bigint>;
  readonly createdAt: number;
}

/** One-time codes with which an operator takes his place. */
export interface Enrolment {
  /** SHA-256 of each code, hexadecimal: one code by each person who let him in. */
  readonly codeHashes: readonly string[];
  /** ms. */
  readonly until: number;
  /** He had a token before. */
  readonly isReset: boolean;
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

/** The command that a reference stood for, and its result. */
export interface Referred {
  readonly content: string;
  readonly result: object;
}

/**
 * Above these amounts, in units of 10^-BOUND_SCALE of the currency, money moves only with the consent of a second
 * person.
 */
export interface Bounds {
  /** In one command. */
  readonly call: bigint;
  /** In a day (UTC), no matter who moves it. */
  readonly day: bigint;
  /** In a day to one user or cell. */
  readonly recipient: bigint;
}

/** Operators, what waits for their consent, and the references that outlive both. */
export class Operators {
  readonly byName = new Map<string, Operator>();
  readonly byTokenHash = new Map<string, Operator>();
  readonly approvals = new Map<number, Approval>();
  nextApprovalId = 1;
  nextPasskeyId = 1;
  /** By currency; empty: nothing takes two. */
  bounds: ReadonlyMap<string, Bounds> = new Map();
  /** Two administrators have been there: root is no person any more. */
  isDual = false;
  /** Amounts moved without a second person's consent. */
  readonly moved = new MovedToday();
  /** By kind of command and reference, for ever: a retry may come after years. */
  readonly references = new Map<string, Referred>();

  enter(operator: Operator): void {
    this.byName.set(operator.name, operator);
    if (operator.tokenHash !== "") this.byTokenHash.set(operator.tokenHash, operator);
  }

  leave(operator: Operator): void {
    this.byName.delete(operator.name);
    this.byTokenHash.delete(operator.tokenHash);
  }

  /**
   * An empty hash takes the token away. The passkeys go with the old one: anyone who fears that it was stolen is alone
   * again.
   */
  setToken(operator: Operator, tokenHash: string): void {
    this.byTokenHash.delete(operator.tokenHash);
    operator.passkeys = [];
    operator.tokenHash = tokenHash;
    if (tokenHash !== "") this.byTokenHash.set(tokenHash, operator);
  }

  /** Whose passkey has this id. */
  withCredential(credentialId: string): Operator | undefined {
    // There are few operators, and nobody asks this often.
    return [...this.byName.values()].find(({ passkeys }) => passkeys.some((one) => one.credentialId === credentialId));
  }

  /**
   * Drops the proposals of an operator, which end with his token: a later one of the same name may be somebody else.
   */
  dropApprovalsOf(name: string): void {
    for (const { approvalId, actor } of this.approvals.values()) {
      if (actor === name) this.approvals.delete(approvalId);
    }
  }
}
