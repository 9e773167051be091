use bot::Venue;

#[test]
fn time_stands_still_until_the_operator_moves_it() {
    let venue = Venue::start("time");
    let before = venue.get("/v2/time");
    assert!(before.contains("\"timestamp\":1767225600000"), "{before}");
    let moved = venue.operator("/admin/clock", "{\"advance_ms\": 60000}");
    assert!(moved.contains("\"code\":0"), "{moved}");
    assert!(venue.get("/v2/time").contains("\"timestamp\":1767225660000"));
}

#[test]
fn the_keys_are_the_same_in_every_run_and_nobody_has_traded() {
    let venue = Venue::start("keys");
    assert_eq!(venue.account("alice").0, "76C101C1D5579A41CA9066B9CCB187B5");
    assert_ne!(venue.account("bob"), venue.account("alice"));
    let depth = venue.get("/v2/spot/depth?market=BTCUSDT&limit=5&interval=0");
    assert!(depth.contains("\"asks\":[]"), "{depth}");
}
