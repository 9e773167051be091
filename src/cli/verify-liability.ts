/** `bourse verify-liability`: checks a proof of liabilities, without the venue that gave it. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { ProofUnsound, type VerifiedProof, verifyProof } from "../../client/liability-proof.ts";
import { readNamedFile } from "../log/plain-file.ts";
import { boundedBody } from "../net/bounded-body.ts";
import { CliError, EXIT } from "./exit.ts";
import { lines, table } from "./output.ts";

interface VerifyOptions {
  readonly account?: string;
  readonly head?: string;
  readonly owed?: readonly string[];
  readonly json?: boolean;
}

/** A path of a proof has some 5 kB a currency. */
const PROOF_MIB_MAX = 16;
const FETCH_MS = 30_000;

export function addVerifyLiabilityVerb(program: Command): void {
  program
    .command("verify-liability")
    .summary("check that a venue's total of what it owes includes an account")
    .description(
      "Check a proof of liabilities, the answer of GET /v2/ext/liability-proof: that what the venue owes the account " +
        "is part of the totals it has published. Asks no venue. Compare the account, the amounts and the head with " +
        "what you know from elsewhere, or give them here. Ends with code 3 when the proof does not hold.",
    )
    .argument("<FILE|URL>", "the proof, as JSON")
    .option("--account <ID>", "your account, user_id of GET /v2/account/info")
    .addOption(new Option("--head <HASH>", "the head of that count as others have it").argParser(hash))
    .option("--owed <CCY=AMOUNT...>", "what you had in all your accounts at that time, such as USDT=125.5")
    .option("--json", "print JSON")
    .action(async (source: string, options: VerifyOptions) => await conclude(await proofAt(source), options));
}

function hash(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError("Give the 64 hexadecimal digits of the head.");
  return text.toLowerCase();
}

async function conclude(proof: unknown, options: VerifyOptions): Promise<void> {
  const verified = await checked(proof, options);
  if (options.json === true) {
    const { accountId: account_id, seq, countedAt: counted_at, head, owed } = verified;
    process.stdout.write(`${JSON.stringify({ account_id, seq, counted_at, head, owed })}\n`);
    return;
  }
  const rows = verified.owed.map(({ ccy, amount, total }) => [ccy, amount, total]);
  const facts = {
    account: verified.accountId,
    counted: `at seq ${verified.seq}, ${new Date(verified.countedAt).toISOString()}`,
    head: verified.head,
  };
  process.stdout.write(`${lines(facts)}\n${table(["currency", "owed to the account", "owed to all"], rows)}\n`);
  process.stdout.write("The proof holds.\n");
}

async function checked(proof: unknown, { account, head, owed = [] }: VerifyOptions): Promise<VerifiedProof> {
  try {
    const verified = await verifyProof(proof);
    if (account !== undefined && account !== verified.accountId) {
      throw new ProofUnsound(`The proof is of account ${verified.accountId}, and not of ${account}.`);
    }
    if (head !== undefined && head !== verified.head) {
      throw new ProofUnsound(`The head of the proof is ${verified.head}: you are shown other totals than others.`);
    }
    for (const each of owed) holdAgainst(verified, each);
    return verified;
  } catch (error) {
    if (!(error instanceof ProofUnsound)) throw error;
    throw new CliError(`The proof does not hold. ${error.message}`, { exitCode: EXIT.damaged, cause: error });
  }
}

/** The venue may owe more than what its user counts (a profit, a dividend), and never less. */
function holdAgainst({ owed }: VerifiedProof, expected: string): void {
  const [, ccy = "", amount = ""] = /^([^=\s]+)=(\d+(?:\.\d+)?)$/.exec(expected) ?? [];
  if (ccy === "")
    throw new CliError(`Say what you had as CCY=AMOUNT instead of ${expected}.`, { exitCode: EXIT.usage });
  const found = owed.find((each) => each.ccy === ccy)?.amount ?? "0";
  if (scaled(found) < scaled(amount)) {
    throw new ProofUnsound(`You had ${amount} ${ccy}, and the venue's total has ${found} of yours.`);
  }
}

/** Units of the finest currency that there may be. */
function scaled(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.slice(0, 40).padEnd(40, "0"));
}

async function proofAt(source: string): Promise<unknown> {
  const text = /^https?:\/\//.test(source)
    ? await fetched(source)
    : readNamedFile(source, PROOF_MIB_MAX).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError(`${source} holds no JSON.`, { cause, exitCode: EXIT.usage });
  }
}

async function fetched(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) });
    return (await boundedBody(response, PROOF_MIB_MAX * 2 ** 20)).toString("utf8");
  } catch (cause) {
    throw new CliError(`${url} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
