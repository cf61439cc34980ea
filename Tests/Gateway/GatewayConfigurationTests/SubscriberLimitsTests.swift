import GatewayConfiguration
import Testing

struct SubscriberLimitsTests {
    @Test func `a subscriber that reconnects finds all that it can have missed`() {
        #expect(SubscriberLimits.history > SubscriberLimits.capacity)
        #expect(SubscriberLimits.capacity >= SubscriberLimits.waiting, "all that waits may be delivered at once")
    }
}
