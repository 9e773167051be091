/**
 * Passkeys of operators: adding one to one's own name, and signing in to the console by it. What stands below
 * `/admin/passkeys`.
 */
import { ROOT } from "../../engine/operators/authority.ts";
import {
  answeredWith,
  askForPasskey,
  askForRegistration,
  credentialIdOf,
  NO_NAME,
  NOT_VERIFIED,
  registered,
  relyingPartyOf,
} from "../auth/passkeys.ts";
import type { Tickets } from "../auth/tickets.ts";
import { successText } from "../envelope/envelope.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Service } from "../http/server.ts";
import { Refused } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import { execute } from "./call.ts";
import { type Fields, readValues, type Values } from "./field.ts";
import { isHttps, type SignedInOperator } from "./operator-sessions.ts";
import { ANSWERED, MADE } from "./passkey-fields.ts";
import { beginSession, ownPage, type SessionServiceOptions } from "./session-services.ts";

export interface PasskeyServiceOptions extends SessionServiceOptions {
  readonly tickets: Tickets;
}

/** The answer of a service to its caller; undefined when it has answered itself. */
type Given = object | Refused | undefined;

const NO_NAMES = { userIdOf: () => undefined };
const ROOT_HAS_NONE = new Refused(
  "permission_missing",
  "Root has no passkeys, since its token is a file: make an operator of your own name.",
);
const SIGN_IN_AGAIN = new Refused(
  "permission_missing",
  "A passkey is added within 15 minutes of signing in: sign out and in again, so that nobody adds one at a desk " +
    "that was left.",
);

/** Path, method and service of each. */
export function passkeyServices(options: PasskeyServiceOptions): (readonly [string, string, Service])[] {
  const own = ownPage(options.host);
  const serve = (given: (context: RequestContext, origin: string, rpID: string) => Promise<Given>): Service =>
    own((context) => {
      const origin = originOf(context);
      const rpID = relyingPartyOf(origin);
      if (rpID === undefined) {
        context.refuse(NO_NAME);
        return;
      }
      given(context, origin, rpID).then(
        (answer) => {
          if (answer instanceof Refused) context.refuse(answer);
          else if (answer !== undefined) context.answerUncached(successText(answer));
        },
        (error: unknown) => context.fail(error),
      );
    });
  return [
    ["/admin/passkeys/registration", "POST", serve((context, _, rpID) => registration(options, context, rpID))],
    ["/admin/passkeys", "POST", serve((...asked) => add(options, ...asked))],
    ["/admin/passkeys/authentication", "POST", serve((_, __, rpID) => authentication(options, rpID))],
    ["/admin/passkeys/sign-in", "POST", serve((...asked) => signIn(options, ...asked))],
  ];
}

async function registration(options: PasskeyServiceOptions, context: RequestContext, rpID: string): Promise<Given> {
  const asker = freshAsker(options, context);
  if (asker instanceof Refused) return asker;
  const { name } = asker;
  const passkeys = options.venue.state.operators.byName.get(name)?.passkeys ?? [];
  const { options: asked, challenge } = await askForRegistration(rpID, { name, id: `operator ${name}`, passkeys });
  return { options: asked, ticket: options.tickets.issue("operator passkey registration", { name, challenge }) };
}

async function add(
  options: PasskeyServiceOptions,
  context: RequestContext,
  origin: string,
  rpID: string,
): Promise<Given> {
  const asker = freshAsker(options, context);
  if (asker instanceof Refused) return asker;
  const values = valuesOf(context, MADE);
  if (values instanceof Refused) return values;
  const asked = options.tickets.read<{ name: string; challenge: string }>(
    "operator passkey registration",
    values.ticket,
  );
  if (asked instanceof Refused) return asked;
  if (asked.name !== asker.name) return new Refused("link_invalid");
  const made = await registered(values.response, asked.challenge, origin, rpID);
  if (made === undefined) return NOT_VERIFIED;
  const command = { kind: "add_operator_passkey", name: values.name, ...made } as const;
  return execute({ ...options.venue, operator: asker }, command, (result) => {
    const { passkeyId } = result as { readonly passkeyId: number };
    return { passkey_id: passkeyId, name: values.name };
  });
}

async function authentication({ tickets }: PasskeyServiceOptions, rpID: string): Promise<Given> {
  const { options, challenge } = await askForPasskey(rpID);
  return { options, ticket: tickets.issue("operator passkey authentication", { challenge }) };
}

async function signIn(
  options: PasskeyServiceOptions,
  context: RequestContext,
  origin: string,
  rpID: string,
): Promise<Given> {
  const { venue, tickets, failures } = options;
  const values = valuesOf(context, ANSWERED);
  if (values instanceof Refused) return values;
  const asked = tickets.read<{ challenge: string }>("operator passkey authentication", values.ticket);
  if (asked instanceof Refused) return asked;
  const credentialId = credentialIdOf(values.response);
  const operator = venue.state.operators.withCredential(credentialId);
  const passkey = operator?.passkeys.find((one) => one.credentialId === credentialId);
  const counter = passkey && (await answeredWith(values.response, passkey, asked.challenge, origin, rpID));
  if (operator === undefined || counter === undefined) {
    context.refuseAfter(failures.note("token", context.remoteAddress), NOT_VERIFIED);
    return undefined;
  }
  if (!tickets.use(values.ticket)) return new Refused("link_invalid");
  const command = { kind: "use_operator_passkey", credentialId, counter } as const;
  const used = await execute({ ...venue, operator }, command, () => ({}));
  if (used instanceof Refused) return used;
  beginSession(options, context, operator.tokenHash, credentialId);
  return undefined;
}

/** Who sits at the console, has shown a short while ago who he is, and may have passkeys. */
function freshAsker({ sessions }: PasskeyServiceOptions, context: RequestContext): SignedInOperator | Refused {
  const asker = sessions.askerOf(context);
  if (asker instanceof Refused) return asker;
  if (asker.name === ROOT) return ROOT_HAS_NONE;
  return asker.isFresh ? asker : SIGN_IN_AGAIN;
}

function valuesOf<All extends Fields>(context: RequestContext, fields: All): Values<All> | Refused {
  const body = parseJsonBody(context.body);
  return body instanceof Refused ? body : readValues(fields, body, NO_NAMES);
}

/** Where the page stands: browsers say so, and its host was looked at. */
function originOf(context: RequestContext): string {
  return context.header("origin") ?? `${isHttps(context) ? "https" : "http"}://${context.header("host") ?? ""}`;
}
