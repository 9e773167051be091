import assert from "node:assert/strict";
import { test } from "node:test";
import { SigningTime } from "./signing-time.ts";

const MACHINE = 1_750_000_000_000;
const DAY = 86_400_000;

test("where the venue runs on the machine's clock, a signed time is as old as that says", () => {
  const time = new SigningTime(undefined);
  assert.equal(time.ageOf(MACHINE - 70, MACHINE), 70);
  assert.equal(time.ageOf(MACHINE + 70, MACHINE), -70);
  assert.equal(time.refused("request_expired", 0, MACHINE).message, undefined);
});

test("on a virtual clock a signed time is as old as the nearer one of both clocks says", () => {
  const time = new SigningTime(() => MACHINE);
  const venueMs = MACHINE + 30 * DAY;
  assert.equal(time.ageOf(MACHINE - 70, venueMs), 70);
  assert.equal(time.ageOf(venueMs - 70, venueMs), 70);
  assert.equal(time.ageOf(venueMs + 70, venueMs), -70);
  assert.equal(time.ageOf(MACHINE + 10 * DAY, venueMs), -10 * DAY);
});

test("the refusal of what is right by neither clock names both", () => {
  const time = new SigningTime(() => MACHINE);
  const { refusal, message } = time.refused("signature_expired", 5, MACHINE + DAY);
  assert.equal(refusal, "signature_expired");
  assert.match(message as string, new RegExp(`signed for 5, .*${MACHINE + DAY} in the venue.*${MACHINE} by the clock`));
});
