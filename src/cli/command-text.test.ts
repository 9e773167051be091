import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue } from "../../test/support/venue.ts";
import { type Command, decodeCommand, encodeCommand } from "../engine/command.ts";
import { WordBuffer } from "../engine/words.ts";
import { whatText, whoText } from "./command-text.ts";

test("commands for stop orders are told in words, amounts in units where nobody knows their currency", () => {
  const venue = bitcoinVenue();
  venue.addUser("ann", { USDT: "1000" });
  const place = (text: string): Command => ({
    ...venue.orderOf(1, text),
    kind: "place_stop_order",
    trigger: 2_900_000n,
  });
  const modify = { kind: "modify_stop_order", userId: 1, marketId: 0 } as const;
  const cancel = { kind: "cancel_stop_by_client_id", userId: 1, account: "spot", clientId: "mine" } as const;
  venue.accept(place("buy 500 USDT"));
  venue.accept(place("buy 1 @ 29000"));
  for (const [command, text] of [
    [place("buy 500 USDT"), "buy market for 500.00000000 USDT once at 29000.00 in BTCUSDT"],
    [place("sell 1 @ 29000 id:mine"), "sell limit 1.000000 BTC at 29000.00 once at 29000.00 in BTCUSDT client_id mine"],
    [{ ...modify, stopId: 1, amount: 60_000_000_000n }, "modify stop order 1 in BTCUSDT: amount 600.00000000"],
    [{ ...modify, stopId: 2, amount: 2_000_000n }, "modify stop order 2 in BTCUSDT: amount 2.000000"],
    [{ ...modify, stopId: 9, amount: 7n }, "modify stop order 9 in BTCUSDT: amount 7 units"],
    [
      { ...modify, stopId: 2, price: 2_800_000n, trigger: 2_700_000n },
      "modify stop order 2 in BTCUSDT: price 28000.00, trigger 27000.00",
    ],
    [{ kind: "cancel_stop_order", userId: 1, marketId: 0, stopId: 2 }, "cancel stop order 2 in BTCUSDT"],
    [cancel, "cancel stop orders with client_id mine in every market"],
    [{ ...cancel, marketId: 0 }, "cancel stop orders with client_id mine in BTCUSDT"],
  ] as [Command, string][]) {
    // As the log has it.
    const record = new WordBuffer(16);
    const logged = decodeCommand(record, encodeCommand(record, command));
    assert.equal(whatText(venue.state, logged), text);
    assert.equal(whoText(venue.state, logged), "user 1 ann");
  }
});
