/** `bourse account create`: a user with funds and a key, in one go. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { AdminClient, type VenueOptions, withVenueOptions } from "./admin-client.ts";
import { CliError } from "./exit.ts";
import { print } from "./output.ts";

interface Fund {
  readonly ccy: string;
  readonly amount: string;
}

interface CreateOptions extends VenueOptions {
  readonly name: string;
  readonly fund?: readonly Fund[];
  readonly mainUserId?: string;
  readonly referredBy?: string;
  readonly permission?: readonly string[];
}

export function addAccountVerbs(program: Command): void {
  const account = program.command("account").description("make accounts that can trade at once").exitOverride();
  const create = account
    .command("create")
    .description("Make a user, credit it and give it an API key. The secret is shown once.")
    .optionsGroup("Fields:")
    .requiredOption("--name <NAME>", "unique name of the user")
    .addOption(
      new Option("--fund <CCY=AMOUNT>", "credit this much; may be repeated").argParser(
        (text: string, before: readonly Fund[] = []) => [...before, fundOf(text)],
      ),
    )
    .option("--main-user-id <USER_ID>", "make a sub-account of this user")
    .option("--referred-by <CODE>", "the code by which somebody invited the user")
    .addOption(
      new Option(
        "--permission <read|trade|withdraw>",
        "what the key may do; read and trade unless given; may be repeated",
      ).argParser((text: string, before: readonly string[] = []) => [...before, text]),
    );
  withVenueOptions(create).action(createAccount);
}

function fundOf(text: string): Fund {
  // Looked at before the user is made: half an account would be in the way of the next try.
  const [, ccy, amount] = /^([^=]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (ccy === undefined || amount === undefined) {
    throw new InvalidArgumentError(`Write CCY=AMOUNT, such as USDT=1000.5, instead of ${text}.`);
  }
  return { ccy, amount };
}

async function createAccount(options: CreateOptions): Promise<void> {
  const client = AdminClient.of(options);
  const { name, fund = [], mainUserId, referredBy, permission } = options;
  const user = { name, main_user_id: mainUserId, referred_by: referredBy };
  const { user_id } = await client.call("POST", "/admin/users", user);
  // The key comes last: what fails before it leaves no secret behind that nobody was shown.
  for (const { ccy, amount } of fund) {
    const body = { user_id, ccy, amount, note: "account create" };
    await orSay(
      client.call("POST", "/admin/deposits", body),
      `${name} was made as user ${user_id}, but not credited with ${amount} ${ccy}`,
    );
  }
  const asked = client.call("POST", "/admin/api-keys", { user_id, permissions: permission });
  const { access_id, secret_key } = await orSay(
    asked,
    `${name} was made as user ${user_id} and credited, but has no key`,
  );
  print({ user_id, access_id, secret_key }, options.json);
}

/** Puts the work done before a failed call into the error's message: a user who tries again must know of it. */
async function orSay<Result>(asked: Promise<Result>, before: string): Promise<Result> {
  try {
    return await asked;
  } catch (cause) {
    if (!(cause instanceof CliError)) throw cause;
    throw new CliError(`${before}. ${cause.message}`, { exitCode: cause.exitCode, cause });
  }
}
