import APNSModel
import Foundation
import TestSeeds
import Testing

struct UTCTimeTests {
    @Test(
        arguments: [
            (-62_167_219_200, "0000-01-01 00:00:00"), (-62_162_035_201, "0000-02-29 23:59:59"),
            (-1, "1969-12-31 23:59:59"),
            (0, "1970-01-01 00:00:00"), (951_868_799, "2000-02-29 23:59:59"), (4_107_542_400, "2100-03-01 00:00:00"),
            (253_402_300_799, "9999-12-31 23:59:59"),
        ] as [(Int64, String)])
    func `a second has a date and a time of day`(seconds: Int64, text: String) {
        let time = UTCTime(secondsSince1970: seconds)
        #expect("\(time.date) \(time.clock)" == text)
    }

    @Test(arguments: TestSeed.all(1...10))
    func `the date is the one of Foundation's calendar`(seed: TestSeed) throws {
        var generator = seed.generator
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for _ in 0..<100 {
            // From 1600 on, because Foundation's calendar has the change of calendars in 1582.
            let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &generator)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            let time = UTCTime(secondsSince1970: seconds)
            #expect([time.year, time.month, time.day].map { Int($0) } == [parts.year, parts.month, parts.day])
        }
    }
}
