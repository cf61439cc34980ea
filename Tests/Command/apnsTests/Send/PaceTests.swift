import APNSModel
import Testing

@testable import apns

struct PaceTests {
    @Test(arguments: [0.5, 3, 40, 9999, 333_333])
    func `every notification is due a fixed step behind the one before`(rate: Double) {
        var pace = Pace(rate: rate)
        var due = Duration.seconds(7)
        var last = due
        for _ in 0..<1000 {
            last = due
            due = pace.next(at: due)
        }
        _ = last
        let expected = Duration.seconds(7) + .nanoseconds(Int64((999 * 1e9 / rate).rounded()))
        #expect(due == expected)
    }

    @Test func `a late timer does not add up`() {
        var pace = Pace(rate: 100)
        var now = Duration.zero
        for number in 0..<500 {
            let due = pace.next(at: now)
            #expect(due == .milliseconds(10 * number))
            now = max(now, due) + .milliseconds(3)
        }
    }

    @Test func `a sender that was held up makes up for a short while only`() {
        var pace = Pace(rate: 100)
        _ = pace.next(at: .zero)
        let now = Duration.seconds(60)
        let due = (0..<200).map { _ in pace.next(at: now) }
        #expect(due.filter { $0 <= now }.count == 26)
        #expect(due.last == now - .milliseconds(250) + .milliseconds(1990))
    }
}
