import type { MarketKind, SocketContract, SocketError } from "./contract.ts";

/** The refusals of sockets, by the part of the code that is the same on all sockets. */
const CODES = {
  invalid_argument: 1,
  method_unavailable: 2,
  auth_required: 1_001,
  signature_incorrect: 1_002,
  timeout: 3_001,
  too_frequent: 3_002,
  internal_error: 4_001,
  service_unavailable: 4_002,
} as const;
export type SocketRefusal = keyof typeof CODES;

const CODE_BASE: Readonly<Record<MarketKind, number>> = { spot: 20_000, futures: 30_000 };

/** The errors of the sockets of a kind, as the contract words them. Throws when it lacks one. */
export function socketErrors(contract: SocketContract, kind: MarketKind): Readonly<Record<SocketRefusal, SocketError>> {
  const errorOf = (refusal: SocketRefusal) => {
    const code = CODE_BASE[kind] + CODES[refusal];
    const error = contract.errors[kind].find((candidate) => candidate.code === code);
    if (error === undefined) throw new Error(`The contract has no error ${code} on ${kind} sockets.`);
    return error;
  };
  const refusals = Object.keys(CODES) as SocketRefusal[];
  return Object.fromEntries(refusals.map((refusal) => [refusal, errorOf(refusal)])) as Record<
    SocketRefusal,
    SocketError
  >;
}
