package bot

import (
	"encoding/json"
	"testing"
)

type order map[string]string

func ask(price, side string) order {
	return order{"market": "BTCUSDT", "market_type": "SPOT", "type": "limit", "amount": "0.1", "side": side, "price": price}
}

func open(t *testing.T, v venue) []map[string]any {
	its := v.ask("GET", "/v2/spot/pending-order?market=BTCUSDT&market_type=SPOT", nil, "alice")
	var orders []map[string]any
	if err := json.Unmarshal(its.Data, &orders); err != nil || its.Code != 0 {
		t.Fatal(its.Message, err)
	}
	return orders
}

func TestAnOrderRestsUntilSomebodyTakesIt(t *testing.T) {
	v := fresh(t)
	if placed := v.ask("POST", "/v2/spot/order", ask("60000", "buy"), "alice"); placed.Code != 0 {
		t.Fatal(placed.Message)
	}
	if orders := open(t, v); len(orders) != 1 {
		t.Fatalf("%d orders rest", len(orders))
	}
	if sold := v.ask("POST", "/v2/spot/order", ask("60000", "sell"), "bob"); sold.Code != 0 {
		t.Fatal(sold.Message)
	}
	if orders := open(t, v); len(orders) != 0 {
		t.Fatalf("%d orders rest", len(orders))
	}
}

func TestEachTestFindsTheSameWorld(t *testing.T) {
	if orders := open(t, fresh(t)); len(orders) != 0 {
		t.Fatalf("%d orders rest", len(orders))
	}
}
