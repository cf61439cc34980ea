import GatewayCore
import GatewayJSON
import Testing

struct RateTextTests {
    /// What was read: `off`, the count and the milliseconds, or `refused`.
    private static func read(_ text: String) -> String {
        switch RateText.rate(of: text) {
        case .none: "refused"
        case .some(.none): "off"
        case .some(.some(let rate)): "\(rate.count) in \(rate.period)"
        }
    }

    @Test(arguments: [("off", "off"), ("10/1m", "10 in 60000"), ("0/1s", "0 in 1000"), ("2/250ms", "2 in 250")])
    func `a rate is read`(text: String, wanted: String) { #expect(Self.read(text) == wanted) }

    @Test(arguments: ["", "OFF", "10", "10/", "/1m", "+10/1m", "-1/1m", "10/0s", "10/-1s", "1/1s/1s", "ten/1m"])
    func `a text that is not a rate is refused`(text: String) { #expect(Self.read(text) == "refused") }

    @Test func `a rate is written in the largest unit`() {
        #expect(RateText.text(nil) == "off")
        #expect(RateText.text(WorldSettings.DeviceRate(count: 10, period: 60_000)) == "10/1m")
        #expect(RateText.text(WorldSettings.DeviceRate(count: 3, period: 90_000)) == "3/90s")
    }
}
