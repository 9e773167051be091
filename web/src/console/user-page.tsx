/**
 * All that the venue knows of one user, on one page: what he is worth, has open, has done, and what was refused him.
 */
import { For, Show } from "solid-js";
import { grouped } from "../number/show.ts";
import { NoRows } from "../ui/read-state.tsx";
import { Table } from "../ui/table.tsx";
import { ActButtons } from "./act-buttons.tsx";
import type { Act, Area, List, Row } from "./area.ts";
import { MONEY_AREAS } from "./areas/money.tsx";
import { TRADING_AREAS } from "./areas/trading.tsx";
import { VENUE_AREAS } from "./areas/venue.tsx";
import { WATCH_AREAS } from "./areas/watch.tsx";
import { time } from "./columns.tsx";
import { addressOf, go, place } from "./place.ts";
import { createReading } from "./reading.ts";
import { Record } from "./record.tsx";
import { Scrolling } from "./scrolling.tsx";
import { UserTimeline } from "./user-timeline.tsx";

/** Of each list the latest. */
const ROWS = 10;

/** The lists that are narrowed to the user, in the order of the page. */
const LISTS: readonly (readonly [area: string, list: string, heading: string])[] = [
  ["positions", "positions", "Positions"],
  ["orders", "orders", "Open orders"],
  ["refusals", "refusals", "Refused requests"],
  ["past", "deals", "Latest deals in spot"],
  ["withdrawals", "withdrawals", "Withdrawals"],
  ["deposits", "chain", "Deposits over chains"],
  ["audit-trail", "actions", "What operators did"],
];

const AREAS: readonly Area[] = [...VENUE_AREAS, ...WATCH_AREAS, ...TRADING_AREAS, ...MONEY_AREAS];

/** `acts`: what can be done with a user. */
export function UserPage(props: { acts: (user: Row) => readonly Act[] }) {
  const userId = () => place().params["user_id"] ?? "";
  return (
    <Show when={userId() !== ""} fallback={<p class="note">Choose a user from the list of users, or search.</p>}>
      <Show when={userId()} keyed>
        {(id) => (
          <>
            <Head userId={id} acts={props.acts} />
            <Notes userId={id} />
            <h2>Timeline</h2>
            <UserTimeline userId={id} />
            <For each={LISTS}>
              {([area, list, heading]) => <Latest area={area} list={list} heading={heading} userId={id} />}
            </For>
            <SignIn userId={id} />
          </>
        )}
      </Show>
    </Show>
  );
}

function Head(props: { userId: string; acts: (user: Row) => readonly Act[] }) {
  const reading = createReading<Row>(() => ({ path: `/admin/users/${encodeURIComponent(props.userId)}` }), 10_000);
  return (
    <Show
      when={reading.data()}
      fallback={
        <p class="note">
          <NoRows state={reading} empty="" />
        </p>
      }
    >
      {(user) => (
        <div class="card padded standing">
          <h2>
            {user()["name"]} <span class="quiet">user {user()["user_id"]}</span>
          </h2>
          <dl class="facts">
            <div>
              <dt>Worth by index</dt>
              <dd class="user-worth">{grouped(user()["worth_usd"])} USD</dd>
            </div>
          </dl>
          <ActButtons acts={props.acts(user())} />
          <Record of={user()} without={["name", "user_id", "worth_usd"]} />
        </div>
      )}
    </Show>
  );
}

function Latest(props: { area: string; list: string; heading: string; userId: string }) {
  const list = () => AREAS.find(({ id }) => id === props.area)?.lists?.find(({ id }) => id === props.list) as List;
  const reading = createReading<Row>(() => ({
    path: list().path,
    query: { ...list().query, user_id: props.userId, limit: ROWS },
  }));
  const rows = () => (reading.data()?.[list().rows] as readonly Row[] | undefined) ?? [];
  const all = () => ({ area: props.area, params: { tab: props.list, user_id: props.userId } });
  return (
    <>
      <h2>
        {props.heading}{" "}
        <a
          class="note"
          href={addressOf(all())}
          aria-label={`All ${props.heading.toLowerCase()}`}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            go(all().area, all().params);
          }}
        >
          all
        </a>
      </h2>
      <Scrolling class="card" name={props.heading}>
        <Table
          label={props.heading}
          isCards="lines"
          columns={list().columns}
          rows={rows()}
          state={reading}
          empty="None."
          onOpen={(row) => go(all().area, { ...all().params, row: list().key(row) })}
          onKey={(key, row) => key === "Enter" && go(all().area, { ...all().params, row: list().key(row) })}
        />
      </Scrolling>
    </>
  );
}

const NOTE_COLUMNS = [
  time("Time", "time"),
  { name: "By", cell: (row: Row) => row["actor"] },
  { name: "Note", cell: (row: Row) => <span class="note-text">{row["text"]}</span> },
];

/** The notes of operators about a user, who never sees them. */
function Notes(props: { userId: string }) {
  const reading = createReading<Row>(() => ({
    path: `/admin/users/${encodeURIComponent(props.userId)}/notes`,
    query: { limit: ROWS },
  }));
  const write = (): Act => ({
    word: "Write a note",
    call: "POST /admin/users/USER_ID/notes",
    fixed: { user_id: props.userId },
  });
  return (
    <>
      <h2>Notes</h2>
      <ActButtons acts={[write()]} />
      <Scrolling class="card" name="Notes">
        <Table
          label="Notes"
          isCards="lines"
          columns={NOTE_COLUMNS}
          rows={(reading.data()?.["notes"] as readonly Row[] | undefined) ?? []}
          state={reading}
          empty="No operator has noted anything of this user."
        />
      </Scrolling>
    </>
  );
}

/** The code of the refusal that nobody signs in to the account. */
const NOBODY_SIGNS_IN = 4005;

/** How he signs in, with the sessions that go on; nothing of one who uses keys alone. */
function SignIn(props: { userId: string }) {
  const reading = createReading<Row>(() => ({ path: `/admin/identities/${encodeURIComponent(props.userId)}` }));
  return (
    <>
      <h2>Sign-in and sessions</h2>
      <Show
        when={reading.data()}
        fallback={
          <p class="note">
            <Show when={reading.refusal() === NOBODY_SIGNS_IN} fallback={<NoRows state={reading} empty="" />}>
              This user signs in by keys alone.
            </Show>
          </p>
        }
      >
        {(identity) => (
          <div class="card padded">
            <Record of={identity()} />
          </div>
        )}
      </Show>
    </>
  );
}
