import Dispatch
import Foundation
import PersonalizationSimulator

/// What the measures have in common.
enum Bench {
    static func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Prints a measure with the rate that it has to reach.
    static func print(_ measure: String, _ rate: Double, _ unit: String, limit: Double?) {
        print(measure, rate, unit, limit: limit, holds: limit.map { rate >= $0 })
    }

    /// Prints a measure with the value that it must not exceed.
    static func printUse(_ measure: String, _ value: Double, _ unit: String, limit: Double?) {
        print(measure, value, unit, limit: limit, holds: limit.map { value <= $0 })
    }

    private static func print(_ measure: String, _ value: Double, _ unit: String, limit: Double?, holds: Bool?) {
        let bound = limit.map { String(format: "%.1f", $0) } ?? "null"
        let number = String(format: "%.1f", value)
        Swift.print(
            #"{"measure":"\#(measure)","value":\#(number),"unit":"\#(unit)","limit":\#(bound),"holds":\#(holds ?? true)}"#
        )
    }

    /// `VmRSS:` or `VmHWM:` of this process in MiB; 0 where the system does not say.
    static func memory(_ name: String) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
        else { return 0 }
        return kibibytes / 1_024
    }

    /// What all threads of this process have used.
    static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// Runs `body` until enough time has passed, and returns how often a second.
    ///
    /// - Parameter each: What one call counts.
    static func rate(each: Int = 1, _ body: (Int) throws -> Void) rethrows -> Double {
        for number in 0..<200 { try body(number) }
        let start = nanoseconds()
        var count = 0
        while nanoseconds() - start < 3_000_000_000 {
            try body(200 + count)
            count += 1
        }
        return Double(count * each) * 1_000_000_000 / Double(nanoseconds() - start)
    }

    /// The standard service, without the limit of requests a minute.
    static var configuration: ServiceConfiguration {
        var configuration = ServiceConfiguration.standard()
        configuration.limits.requestsPerMinute = 1_000_000_000
        return configuration
    }

    /// A request of one of 1,000 people for a point with three items.
    static func decision(_ number: Int) -> [UInt8] {
        Array(
            #"""
            {"context":{"individualId":"device-\#(number % 1_000)","category":"Kettles"},\#
            "personalizationPoints":[{"name":"notification_landing_recs"}]}
            """#.utf8)
    }

    static let eventsPerBatch = 100

    /// A batch of views in the form of apps, with ids that were never sent.
    static func batch(_ number: Int) -> [UInt8] {
        let events = (0..<eventsPerBatch).map { index in
            let id = String(format: "%08x-0000-4000-8000-%012x", number, index)
            return #"""
                {"eventId":"\#(id)","dateTime":"2026-05-08T09:15:30.120Z","deviceId":"device-\#(number % 1_000)",\#
                "sessionId":"b7a1c4d2e9f04411","category":"Engagement","channel":"mobile","eventType":"catalog",\#
                "interactionName":"catalog-object-view-start","type":"Product","id":"7300215"}
                """#
        }
        let base64 = Data(#"{"events":[\#(events.joined(separator: ","))]}"#.utf8).base64EncodedString()
        let encoded = base64.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        return Array("event=\(encoded)".utf8)
    }
}
