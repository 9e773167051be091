ORDER = {"market": "BTCUSDT", "market_type": "SPOT", "type": "limit", "amount": "0.1"}


def keep_bid(venue):
    """The bot: one bid, a percent below the best ask."""
    asks = venue.ask("GET", "/v2/spot/depth?market=BTCUSDT&limit=5&interval=0")["data"]["depth"]["asks"]
    venue.ask("POST", "/v2/spot/cancel-all-order", {"market": "BTCUSDT", "market_type": "SPOT"}, "alice")
    price = f"{float(asks[0][0]) * 0.99:.2f}"
    return venue.ask("POST", "/v2/spot/order", {**ORDER, "side": "buy", "price": price}, "alice")


def bids(venue):
    path = "/v2/spot/pending-order?market=BTCUSDT&market_type=SPOT"
    return [float(order["price"]) for order in venue.ask("GET", path, account="alice")["data"]]


def test_there_is_never_more_than_one_bid(venue):
    for price in ("60000", "59700"):
        assert venue.ask("POST", "/v2/spot/order", {**ORDER, "side": "sell", "price": price}, "bob")["code"] == 0
        assert keep_bid(venue)["code"] == 0
    assert bids(venue) == [59103]


def test_each_test_finds_the_same_world(venue):
    assert bids(venue) == []
    before = venue.time()
    venue.operator("POST", "/admin/clock", {"advance_ms": 60_000})
    assert venue.time() == before + 60_000
