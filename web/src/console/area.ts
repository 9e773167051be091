/** The parts of a page of the console: lists with their filters and columns, and acts that can be done. */
import type { JSX } from "solid-js";
import type { Column } from "../ui/table.tsx";
import type { ConsolePlace } from "./place.ts";
import type { Operator } from "./session.ts";

/** A record as the venue gives it; what its fields hold is the venue's to say. */
// biome-ignore lint/suspicious/noExplicitAny: a page shows whatever fields there are
export type Row = Readonly<Record<string, any>>;

/** Something that an operator may want done: a call with some of its fields filled in. */
export interface Act {
  /** On the button, and above the form. */
  readonly word: string;
  /** The call, as the venue names it: `POST /admin/users/USER_ID`. */
  readonly call: string;
  /** The text of the form besides the call's own sentence. */
  readonly says?: string | undefined;
  /** Values that are not asked for. */
  readonly fixed?: Readonly<Record<string, unknown>> | undefined;
  /** The fields that are asked for; all others unless given. */
  readonly ask?: readonly string[] | undefined;
  /** The texts that stand in fields at first. */
  readonly initial?: Readonly<Record<string, string>> | undefined;
  /** The present values of the fields, by their names: a value that is given replaces them. */
  readonly now?: Row | undefined;
  /** With nothing given it would do nothing. */
  readonly isChange?: boolean | undefined;
  /** How it is now, by words: what the operator looks at before he decides. */
  readonly facts?: readonly Fact[] | undefined;
  /** Returns sentences about what will have happened, with what is given in the form so far. */
  readonly effects?: ((given: Row) => readonly string[]) | undefined;
  /** Returns the text that is shown once it is done, with what the venue answered. */
  readonly answers?: ((answer: Row) => string) | undefined;
  /** Money that it moves where its fields do not say so; undefined for none. */
  readonly moves?: (() => Money | undefined) | undefined;
  /** It hurts somebody, or cannot be taken back. */
  readonly isDangerous?: boolean | undefined;
}

export type Fact = readonly [word: string, value: JSX.Element];

export interface Money {
  readonly amount: string;
  readonly ccy: string;
}

export interface Filter {
  /** As the call names it. */
  readonly name: string;
  readonly word: string;
  /** The values to choose from; a text unless given. */
  readonly choices?: readonly string[];
  /** The choice that holds until another one is made; without it all values are shown. */
  readonly standard?: string;
  readonly isTime?: boolean;
}

export interface List {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Under which name the answer has the rows. */
  readonly rows: string;
  /** Returns the key that tells a row from others; in the address when its panel is open. */
  readonly key: (row: Row) => string;
  /** Returns the title of a row's panel. */
  readonly title: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly filters?: readonly Filter[];
  /** Filters without which there is nothing to ask for; `asks` says so. */
  readonly needs?: readonly string[];
  readonly asks?: string;
  /** Always asked for. */
  readonly query?: Readonly<Record<string, string>>;
  /** Where more is said of one row than the list does. */
  readonly one?: (row: Row) => string;
  readonly empty: string;
  /** A page of its own of one row. */
  readonly page?: (row: Row) => ConsolePlace;
  readonly acts?: (row: Row) => readonly Act[];
  /** The kind of row that the console explains. */
  readonly explains?: "order" | "position" | "request";
  /** The answer has `has_next` and takes `page`. */
  readonly isPaged?: boolean;
  /** Read again by itself after this, ms. */
  readonly beatMs?: number;
}

export interface Area {
  readonly id: string;
  readonly name: string;
  readonly group: "Venue" | "Trading" | "Users" | "Money" | "Laboratory";
  readonly says: string;
  readonly isDevOnly?: boolean;
  /** Reached from elsewhere than the rail. */
  readonly isHidden?: boolean;
  readonly lists?: readonly List[];
  readonly acts?: readonly Act[];
  /** In place of lists, or above them. */
  readonly body?: () => JSX.Element;
}

export type Role = Operator["role"];
