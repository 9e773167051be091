/** The areas of the console, in the order of the rail. */
import type { Area } from "./area.ts";
import { LABORATORY_AREAS } from "./areas/laboratory.tsx";
import { MONEY_AREAS } from "./areas/money.tsx";
import { TRADING_AREAS } from "./areas/trading.tsx";
import { USER_AREAS } from "./areas/users.tsx";
import { VENUE_AREAS } from "./areas/venue.tsx";
import { WATCH_AREAS } from "./areas/watch.tsx";

export const AREAS: readonly Area[] = [
  ...VENUE_AREAS.slice(0, 1),
  ...WATCH_AREAS,
  ...VENUE_AREAS.slice(1),
  ...TRADING_AREAS,
  ...USER_AREAS,
  ...MONEY_AREAS,
  ...LABORATORY_AREAS,
];
